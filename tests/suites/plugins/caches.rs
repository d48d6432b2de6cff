//! Compiled code that is kept: used only where nobody but the operator could have put it.

use std::fs;
use std::path::{Path, PathBuf};

use super::component::packed;
use super::reloads::version;
use crate::harness::{Setup, abxd, is_root, wait};

/// A server's program without the compiler beside it: what it serves, it had compiled before.
fn without_compiler(setup: Setup) -> Setup {
    let program = setup.place("lone/abxd");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::copy(abxd(), &program).unwrap();
    setup.at(&program).arg("--builtin-dir").arg(abxd().with_file_name("builtin"))
}

fn with_cache(setup: Setup, cache: &Path) -> Setup {
    setup.plugin(packed("echo")).arg("--plugin-cache").arg(cache)
}

/// A folder of compiled code, filled by a first start.
fn filled() -> (Setup, PathBuf) {
    let setup = Setup::new();
    let cache = setup.place("cache");
    fs::create_dir(&cache).unwrap();
    let first = with_cache(setup, &cache).arg("--dev");
    assert_eq!(version(&first.start()), "one");
    (first, cache)
}

fn entry(cache: &Path) -> PathBuf {
    let entries: Vec<_> = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [entry] = entries.as_slice() else { panic!("{entries:?}") };
    entry.clone()
}

#[test]
fn with_dev_a_second_start_compiles_nothing() {
    let (first, cache) = filled();
    let name = entry(&cache).file_name().unwrap().to_str().unwrap().to_owned();
    assert!(name.len() > 64 && name.ends_with(".cwasm") && name.contains("wasmtime"), "{name}");
    assert_eq!(version(&without_compiler(first).start()), "one");
}

#[test]
fn without_the_cache_the_compiler_is_needed() {
    let setup = without_compiler(Setup::new()).plugin(packed("echo"));
    let outcome = setup.run();
    let compiler = setup.place("lone/abxd-compiler");
    let said = format!("abxd: {}: No such file or directory (os error 2); it is needed", compiler.display());
    assert!(outcome.one_line(1).starts_with(&said), "{outcome:?}");
}

/// The server's user could have written there, and so could its children.
#[test]
fn without_dev_a_cache_of_ones_own_is_not_used() {
    let (_kept, cache) = filled();
    let code = entry(&cache);
    // Damage of this kind shows only when the code runs.
    let mut bytes = fs::read(&code).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0xcc);
    fs::write(&code, &bytes).unwrap();
    let server = with_cache(Setup::new(), &cache).start();
    assert_eq!(version(&server), "one");
    assert_eq!(fs::read(&code).unwrap(), bytes, "nor is it written");
    // Not even where there is nothing else.
    let outcome = with_cache(without_compiler(Setup::new()), &cache).run();
    assert!(outcome.one_line(1).contains("it is needed beside the server"), "{outcome:?}");
}

/// What is no code at all is passed over.
#[test]
fn a_broken_entry_is_compiled_again() {
    let (first, cache) = filled();
    let code = entry(&cache);
    let whole = fs::read(&code).unwrap();
    for broken in [&whole[..whole.len() / 2], b"", b"\0asm"] {
        fs::write(&code, broken).unwrap();
        let server = first.start();
        assert_eq!(version(&server), "one");
        wait::until_true("it is told", || server.log.text().contains("compiled code in the cache is not used"));
        assert_eq!(fs::read(&code).unwrap().len(), whole.len());
    }
}

/// A cache that the operator filled when the image was built. Takes root, to be another user.
#[test]
fn a_cache_of_another_owner_is_used() {
    if !is_root() {
        return;
    }
    let (_kept, cache) = filled();
    let code = entry(&cache);
    fs::set_permissions(&code, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    let setup = Setup::new();
    let own = setup.place("cache");
    fs::create_dir(&own).unwrap();
    fs::copy(&code, own.join(code.file_name().unwrap())).unwrap();
    let plugin = setup.keep("echo.wasm", fs::read(packed("echo")).unwrap());
    // Without a compiler beside it.
    let setup = setup.with_nobody().plugin(&plugin).arg("--plugin-cache").arg(&own);
    assert_eq!(version(&setup.start()), "one");
    // As soon as somebody else could have written there it is not.
    let outcome_of = |change: &dyn Fn()| {
        change();
        let outcome = setup.run();
        assert!(outcome.stderr.contains("somebody who is not trusted with native code can write it"), "{outcome:?}");
        outcome.code == Some(1) && outcome.stderr.contains("it is needed beside the server")
    };
    use std::os::unix::fs::{PermissionsExt, chown};
    let kept = own.join(code.file_name().unwrap());
    assert!(outcome_of(&|| fs::set_permissions(&kept, fs::Permissions::from_mode(0o666)).unwrap()));
    assert!(outcome_of(&|| {
        fs::set_permissions(&kept, fs::Permissions::from_mode(0o644)).unwrap();
        chown(&kept, Some(65_534), None).unwrap();
    }));
    assert!(outcome_of(&|| {
        chown(&kept, Some(0), None).unwrap();
        chown(&own, Some(65_534), None).unwrap();
    }));
}
