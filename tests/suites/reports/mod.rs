//! What users of such servers reported. Each file is one report and is named after its number; each report is one case of
//! a kind of fault, so the neighbours of the case are tried too.

mod b01_background_holders;
mod b02_survivors_of_a_timeout;
mod b02_survivors_of_code;
mod b03_survivors_of_a_kill;
mod b04_split_characters;
mod b05_output_that_is_no_text;
mod b07_lost_lines;
mod b10_zombies;
mod b11_lost_ends;
mod b12_invented_ends;
mod b14_long_scripts;
mod b16_empty_files;
mod b17_odd_names;
mod b18_planted_links;
mod b18_swapped_parents;
mod b20_half_written_files;
mod b22_missed_changes;
mod b23_stalled_terminals;
mod b25_lost_reconnects;
mod b27_bad_frames;
mod b28_slow_closes;
mod b29_clients_that_left;
mod b31_cut_streams;
mod b32_missed_listeners;
mod b36_exhaustion;
