//! The command line (contract: cli): a drop-in for the reference's flags, environment and exit codes.

mod check_config;
mod commands;
mod health;
mod plugin;
mod policy_source;
mod python_path;
mod reload;
mod scratch;
mod serve;
mod start;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory, Parser, Subcommand};

/// The server that lives inside a sandbox for AI agents.
#[derive(Debug, Parser)]
#[command(name = "abxd", disable_help_subcommand = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve (also without any argument).
    Serve(Box<ServeArgs>),
    /// Ask a running server for `/health`: exit code 0 if it answers 200, else 1.
    Healthcheck(HealthArgs),
    /// Check a policy and show what it makes of each endpoint.
    CheckConfig(Box<CheckArgs>),
    /// Components of third parties.
    Plugin {
        /// What to do.
        #[command(subcommand)]
        command: PluginCommand,
    },
    /// Print the directory to put on the import path of scripts that start the server themselves.
    PythonPath,
    /// Print the version.
    Version,
}

#[derive(Debug, Subcommand)]
enum PluginCommand {
    /// Show each group's plugin as `serve` with the same arguments would load it.
    List(Box<ServeArgs>),
}

/// Arguments of `serve`.
#[derive(Debug, Clone, Args)]
struct ServeArgs {
    /// Address or name to listen on, for both ports.
    #[arg(long, default_value = "0.0.0.0")]
    host: String,
    /// HTTP port.
    #[arg(long, default_value_t = 9000, allow_negative_numbers = true)]
    port: i64,
    /// Port of the terminal socket [default: ABX_PTY_PORT, else 9001].
    #[arg(long, allow_negative_numbers = true)]
    pty_port: Option<i64>,
    #[command(flatten)]
    commands: CommandsArgs,
    /// The policy document, JSON or YAML.
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// A preset: alone the whole policy, with --policy in place of the document's preset.
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// The directory that bounds every path where the policy says nothing else.
    #[arg(long, value_name = "DIR")]
    base_dir: Option<PathBuf>,
    /// Take the built-in components from this directory.
    #[arg(long, value_name = "DIR")]
    builtin_dir: Option<PathBuf>,
    /// A component of a third party, or a directory of them. May be repeated.
    #[arg(long, value_name = "FILE|DIR")]
    plugin: Vec<PathBuf>,
    /// Interfaces of the host that a plugin may use. May be repeated.
    #[arg(long, value_name = "GROUP:INTERFACE,…")]
    grant: Vec<String>,
    /// Where compiled code of plugins is kept; used only where the server's own user can't write, or with --dev.
    #[arg(long, value_name = "DIR")]
    plugin_cache: Option<PathBuf>,
    /// Also append the audit log to this file.
    #[arg(long, value_name = "FILE")]
    audit_file: Option<PathBuf>,
    /// How much to log: error, warn, info or debug.
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    log: tracing::level_filters::LevelFilter,
    /// Started as root: the user that children run as.
    #[arg(long, value_name = "NAME")]
    child_user: Option<String>,
    /// For work on one's own machine: the server's own files are not kept from its callers.
    #[arg(long)]
    dev: bool,
}

impl Default for ServeArgs {
    fn default() -> Self {
        Self {
            host: "0.0.0.0".to_owned(),
            port: 9000,
            pty_port: None,
            commands: CommandsArgs::default(),
            policy: None,
            preset: None,
            base_dir: None,
            builtin_dir: None,
            plugin: Vec::new(),
            grant: Vec::new(),
            plugin_cache: None,
            audit_file: None,
            log: tracing::level_filters::LevelFilter::INFO,
            child_user: None,
            dev: false,
        }
    }
}

/// Arguments that name commands.
#[derive(Debug, Clone, Default, Args)]
struct CommandsArgs {
    /// Commands: a Python file or module, or a TOML or JSON file that declares them. May be repeated.
    #[arg(long, value_name = "FILE_OR_MODULE")]
    commands: Vec<String>,
    /// The interpreter of Python commands [default: python3].
    #[arg(long, value_name = "PROGRAM")]
    python: Option<String>,
    /// The script that has become this server: what `start()` of `agent_sandbox.server` gives.
    #[arg(long, value_name = "FILE", hide = true)]
    script: Option<PathBuf>,
    /// An argument of that script.
    #[arg(long, value_name = "WORD", hide = true, allow_hyphen_values = true)]
    script_arg: Vec<String>,
}

/// Arguments of `healthcheck`.
#[derive(Debug, Args)]
struct HealthArgs {
    /// Address or name of the server.
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Its HTTP port.
    #[arg(long, default_value_t = 9000, allow_negative_numbers = true)]
    port: i64,
    /// Seconds to wait, in all.
    #[arg(long, default_value_t = 2.0, allow_negative_numbers = true)]
    timeout: f64,
}

/// Arguments of `check-config`.
#[derive(Debug, Args)]
struct CheckArgs {
    /// The policy document [default: what `serve` would take].
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// A preset, as with `serve`.
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// A component of a third party, or a directory of them, as with `serve`. May be repeated.
    #[arg(long, value_name = "FILE|DIR")]
    plugin: Vec<PathBuf>,
    /// Interfaces of the host that a plugin may use, as with `serve`. May be repeated.
    #[arg(long, value_name = "GROUP:INTERFACE,…")]
    grant: Vec<String>,
    #[command(flatten)]
    commands: CommandsArgs,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Exit with 2 if there is any warning.
    #[arg(long)]
    strict: bool,
    /// Would a call of this endpoint be allowed? Exit code 0 if so, 3 if not.
    #[arg(long, value_name = "ENDPOINT")]
    explain: Option<String>,
    /// With --explain: a path of the call.
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// With --explain: the caller's scopes, separated by commas.
    #[arg(long, value_name = "SCOPES", default_value = "*")]
    scopes: String,
    /// With --explain: how the path is used.
    #[arg(long, value_name = "OP", value_parser = ["read", "write", "delete", "exec"])]
    op: Option<String>,
}

/// Run the program: parse the command line, do what it says.
#[must_use]
pub fn run() -> ExitCode {
    match parse().command {
        None => serve::serve(ServeArgs::default()),
        Some(Command::Serve(args)) => serve::serve(*args),
        Some(Command::Healthcheck(args)) => health::check(&args),
        Some(Command::CheckConfig(args)) => check_config::check(&args),
        Some(Command::Plugin { command: PluginCommand::List(args) }) => plugin::list(*args),
        Some(Command::PythonPath) => python_path::show(),
        Some(Command::Version) => {
            print(env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
    }
}

/// Parse the command line. Every call that is malformed shows how it is meant (contract: cli).
fn parse() -> Cli {
    Cli::try_parse().unwrap_or_else(|mut error| {
        if error.use_stderr() && error.get(ContextKind::Usage).is_none() {
            let mut command = Cli::command();
            command.build();
            let named = std::env::args_os().nth(1).unwrap_or_default();
            let usage = match command.find_subcommand_mut(&named) {
                Some(named) => named.render_usage(),
                None => command.render_usage(),
            };
            error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
        }
        error.exit()
    })
}

/// A line on stdout: the answer of a command.
#[expect(clippy::print_stdout, reason = "stdout is where a command line answers")]
fn print(line: impl std::fmt::Display) {
    println!("{line}");
}

/// A line on stderr, before there is a log.
#[expect(clippy::print_stderr, reason = "a start that fails says why on stderr")]
fn complain(line: impl std::fmt::Display) {
    eprintln!("abxd: {line}");
}
