//! `packages`: what a package manager knows. Contract: system.

use abx_sdk::system::{self, PackageManager};
use abx_sdk::{Kind, Member, Problem, Request, Response, json, members};

/// Name and version.
type Package = (String, String);

pub(crate) fn packages(request: &Request) -> Result<Response, Problem> {
    let (name, manager, read) = manager(request.query("manager"))?;
    let said = system::packages(manager)?;
    let packages = said.and_then(|said| read(&said)).unwrap_or_default();
    Ok(Response::json(answer(name, &packages)))
}

/// How to read what a manager says. None: it is not what it says usually.
type Read = fn(&[u8]) -> Option<Vec<Package>>;

fn manager(name: Option<&str>) -> Result<(&'static str, PackageManager, Read), Problem> {
    match name {
        None | Some("pip") => Ok(("pip", PackageManager::Pip, of_pip)),
        Some("npm") => Ok(("npm", PackageManager::Npm, of_npm)),
        Some(_) => Err(Problem::value_error("manager must be pip or npm")),
    }
}

/// A list of objects.
fn of_pip(said: &[u8]) -> Option<Vec<Package>> {
    let package = |item: Member<'_>| {
        let [name, version] = members(item.raw().as_bytes(), ["name", "version"]).ok()?;
        Some((shown(name), shown(version)))
    };
    Some(Member::parse(said)?.items()?.into_iter().filter_map(package).collect())
}

/// An object of objects, in one that says more.
fn of_npm(said: &[u8]) -> Option<Vec<Package>> {
    let [dependencies] = members(said, ["dependencies"]).ok()?;
    let version = |value: Member<'_>| match value.kind() {
        Kind::Object => {
            members(value.raw().as_bytes(), ["version"]).map_or_else(|_| String::new(), |[version]| shown(version))
        }
        _ => shown(Some(value)),
    };
    let package = |(name, value): (std::borrow::Cow<'_, str>, Member<'_>)| (name.into_owned(), version(value));
    Some(dependencies?.entries()?.into_iter().map(package).collect())
}

/// A value as text, whatever it is.
fn shown(value: Option<Member<'_>>) -> String {
    value.map_or_else(String::new, |value| value.text().map_or_else(|| value.raw().to_owned(), Into::into))
}

fn answer(manager: &str, packages: &[Package]) -> Vec<u8> {
    json::object(64 + packages.len() * 48, |answer| {
        answer.text("manager", manager);
        answer.list("packages", |list| {
            for (name, version) in packages {
                list.object(|item| {
                    item.text("name", name);
                    item.text("version", version);
                });
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::{answer, manager, of_npm, of_pip};

    fn owned(packages: &[(&str, &str)]) -> Option<Vec<(String, String)>> {
        Some(packages.iter().map(|(name, version)| ((*name).to_owned(), (*version).to_owned())).collect())
    }

    #[test]
    fn pips_list_is_read_in_its_order() {
        let said = br#"[{"name":"b","version":"1.0"},{"name":"a"},{"version":"2"},5,{"name":"c","version":3,"x":[]}]
"#;
        assert_eq!(of_pip(said), owned(&[("b", "1.0"), ("a", ""), ("", "2"), ("c", "3")]));
        for said in ["", "WARNING: x", "{}", "[", "null", "[{}"] {
            assert_eq!(of_pip(said.as_bytes()), None, "{said}");
        }
    }

    #[test]
    fn npms_dependencies_are_read_in_its_order() {
        let said = br#"{"name":"t","dependencies":{
            "foo":{"version":"1.2.3","overridden":false},"bar":{"required":"1","missing":true},"odd":"^1","num":5}}"#;
        assert_eq!(of_npm(said), owned(&[("foo", "1.2.3"), ("bar", ""), ("odd", "^1"), ("num", "5")]));
        for said in ["", "{}", "[]", r#"{"dependencies":[]}"#, r#"{"dependencies":null}"#] {
            assert_eq!(of_npm(said.as_bytes()), None, "{said}");
        }
    }

    #[test]
    fn two_managers_are_known_by_their_exact_names() {
        assert_eq!(manager(None).map(|found| found.0).ok(), Some("pip"));
        for (name, known) in [("pip", true), ("npm", true), ("PIP", false), ("cargo", false), (" pip", false)] {
            assert_eq!(manager(Some(name)).is_ok(), known, "{name}");
        }
    }

    #[test]
    fn packages_have_exactly_the_contracts_keys() {
        let text = answer("npm", &owned(&[("bar", "")]).unwrap());
        assert_eq!(text, br#"{"manager":"npm","packages":[{"name":"bar","version":""}]}"#);
    }
}
