//! What users of such servers reported. Each file is one report and is named after its number; each report is one case of
//! a kind of fault, so the neighbours of the case are tried too.

mod b16_empty_files;
mod b17_odd_names;
mod b18_planted_links;
mod b18_swapped_parents;
mod b20_half_written_files;
mod b22_missed_changes;
mod b31_cut_streams;
