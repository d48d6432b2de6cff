//! The languages.

/// What code is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// `python3 -c CODE`
    Python,
    /// `node -e CODE`
    Node,
    /// `bash -c CODE`
    Bash,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Python, Self::Node, Self::Bash];

    /// Its name in requests and rules.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::Node => "node",
            Self::Bash => "bash",
        }
    }

    /// The interpreter: what the process guard is asked for.
    #[must_use]
    pub const fn program(self) -> &'static str {
        match self {
            Self::Python => "python3",
            Self::Node => "node",
            Self::Bash => "bash",
        }
    }

    /// The option that code follows.
    pub(super) const fn option(self) -> &'static str {
        match self {
            Self::Python | Self::Bash => "-c",
            Self::Node => "-e",
        }
    }

    /// Code that runs the code on descriptor 3 in its own place and leaves nothing of itself: no name, no descriptor.
    pub(super) const fn unpacking(self) -> &'static str {
        match self {
            Self::Python => {
                "exec(compile((lambda code:(code.read(),code.close())[0])(open(3,'rb')),'<string>','exec'))"
            }
            Self::Node => {
                "require('vm').runInThisContext((fs=>{\
                 const code=fs.readFileSync(3,'utf8');fs.closeSync(3);return code\
                 })(require('fs')),{filename:'[eval]',\
                 importModuleDynamically:require('vm').constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER})"
            }
            // Words are expanded before descriptors are closed.
            Self::Bash => r#"eval "$(</dev/fd/3)" 3<&-"#,
        }
    }
}
