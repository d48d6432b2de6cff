# Short names for what CI runs. Nothing needs `just`: each recipe is one cargo call.

# Format all code.
fmt:
    cargo fmt --all

# Formatting, clippy, documentation, dependencies: warnings are errors.
lint:
    cargo xtask lint

# Build, then run all tests and the conformance suite; with a filter only the tests whose names contain it.
test *filter:
    cargo xtask test {{filter}}

# Build, then run the tests that need Chromium.
test-browser *filter:
    cargo xtask test-browser {{filter}}

# The conformance suite against the server built last, such as `just conformance --filter files_stat`.
conformance *arguments:
    cargo xtask conformance {{arguments}}

# Build, then run the benchmarks.
bench *arguments:
    cargo xtask bench {{arguments}}

# Build, then serve.
serve *arguments:
    cargo xtask serve {{arguments}}

# A folder and an archive to install from, in target/dist.
dist:
    cargo xtask dist
