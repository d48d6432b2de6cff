//! Memory does not grow with a file (contract: file_ops §12.2, §13.2).

use serde_json::json;

use crate::harness::{Connection, Request, Server, Setup, wait};

const SIZE: usize = 200 << 20;

/// A server that takes large bodies, each of its ways used once.
fn stage() -> Server {
    let limits = json!({"max_request_bytes": "1GiB", "max_bytes": "1GiB"});
    let server = Setup::new().policy(&json!({"endpoints": {"files_*load": {"limits": limits}}})).start();
    let path = server.base().join("warm");
    server.upload(&path, vec![0; 1 << 20]).ok();
    let (head, tail) = form();
    let whole = [head.as_bytes(), &[0; 1 << 20], tail.as_bytes()].concat();
    server.call(&upload(&server, "warm", &form_type()).body(whole)).ok();
    assert_eq!(server.get("/download", &path).status, 200);
    server
}

fn form() -> (String, String) {
    ("--b\r\nContent-Disposition: form-data; name=file\r\n\r\n".to_owned(), "\r\n--b--\r\n".to_owned())
}

fn form_type() -> String {
    "multipart/form-data; boundary=b".to_owned()
}

fn upload(server: &Server, name: &str, kind: &str) -> Request {
    let path = server.base().join(name);
    server.request("POST", "/upload").query("path", path.to_str().unwrap()).header("Content-Type", kind)
}

/// The most memory that the server has held so far, in bytes.
fn peak(server: &Server) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

/// What doing something costs at most.
#[track_caller]
fn grows_by_less_than(server: &Server, bytes: usize, act: impl FnOnce()) {
    let before = peak(server);
    act();
    let grown = peak(server).saturating_sub(before);
    assert!(grown < bytes, "{} KiB more", grown >> 10);
}

/// One MiB that is unlike the next one.
fn piece(number: usize) -> Vec<u8> {
    (0..1 << 20).map(|at| u8::try_from((at + number * 7) % 251).unwrap()).collect()
}

fn send_pieces(connection: &mut Connection) {
    (0..SIZE >> 20).for_each(|number| connection.send(piece(number)));
}

#[test]
fn an_upload_of_200_mib_costs_nothing() {
    let server = stage();
    let (head, tail) = form();
    for (kind, before, after) in [("application/octet-stream", "", ""), (&*form_type(), &*head, &*tail)] {
        grows_by_less_than(&server, 24 << 20, || {
            let length = before.len() + SIZE + after.len();
            let mut connection = server.connect();
            connection.send(upload(&server, "large", kind).header("Content-Length", length.to_string()).head());
            connection.send(before);
            send_pieces(&mut connection);
            connection.send(after);
            assert_eq!(connection.answer().ok()["bytes"], SIZE);
        });
        let stored = std::fs::read(server.base().join("large")).unwrap();
        assert_eq!(stored.len(), SIZE);
        assert!(stored.chunks(1 << 20).enumerate().all(|(number, found)| found == piece(number)), "{kind}");
        std::fs::remove_file(server.base().join("large")).unwrap();
    }
}

#[test]
fn a_download_of_200_mib_costs_nothing() {
    let server = stage();
    let content: Vec<u8> = (0..SIZE >> 20).flat_map(piece).collect();
    std::fs::write(server.base().join("large"), &content).unwrap();
    let request = server.request("GET", "/download").query("path", server.base().join("large").to_str().unwrap());
    grows_by_less_than(&server, 24 << 20, || {
        let mut connection = server.connect();
        connection.send(request.bytes());
        assert_eq!(connection.head().header("content-length"), Some(&*SIZE.to_string()));
        for expected in content.chunks(1 << 20) {
            assert!(connection.exactly(expected.len()) == expected, "another content");
        }
    });
}

/// As base64 in JSON it is the same: the answer is written as the file is read.
#[test]
fn a_download_as_json_costs_nothing() {
    let server = stage();
    std::fs::File::create(server.base().join("large")).unwrap().set_len(SIZE as u64).unwrap();
    let path = server.base().join("large");
    let request = server.request("GET", "/files/download-stream").query("path", path.to_str().unwrap());
    grows_by_less_than(&server, 24 << 20, || {
        let mut connection = server.connect();
        connection.send(request.bytes());
        let length: usize = connection.head().header("content-length").unwrap().parse().unwrap();
        assert!(length > SIZE / 3 * 4);
        let mut left = length;
        while left > 0 {
            left -= connection.exactly(left.min(1 << 20)).len();
        }
    });
}

/// As many as go on at once in the next tests, and what they may cost.
const MANY: usize = 64;
const COST_OF_MANY: usize = 32 << 20;

/// The ways to download.
const DOWNLOADS: [&str; 2] = ["/download", "/files/download-stream"];

fn download(server: &Server, target: &str, size: usize) -> Request {
    let path = server.base().join("large");
    std::fs::File::create(&path).unwrap().set_len(size as u64).unwrap();
    server.request("GET", target).query("path", path.to_str().unwrap())
}

/// Many at once, all of them read.
#[test]
fn many_downloads_at_once_cost_little() {
    for target in DOWNLOADS {
        let server = stage();
        let request = download(&server, target, 20 << 20);
        grows_by_less_than(&server, COST_OF_MANY, || {
            std::thread::scope(|scope| {
                for _ in 0..MANY {
                    scope.spawn(|| {
                        let mut connection = server.connect();
                        connection.send(request.bytes());
                        let mut left: usize = connection.head().header("content-length").unwrap().parse().unwrap();
                        assert!(left >= 20 << 20);
                        while left > 0 {
                            left -= connection.exactly(left.min(1 << 20)).len();
                        }
                    });
                }
            });
        });
    }
}

/// Many that nobody reads: each holds what may wait to be written, and no more.
#[test]
fn stalled_downloads_cost_a_bounded_amount() {
    for target in DOWNLOADS {
        let server = stage();
        let request = download(&server, target, SIZE);
        grows_by_less_than(&server, COST_OF_MANY, || {
            let mut connections: Vec<_> = (0..MANY).map(|_| server.connect()).collect();
            for connection in &mut connections {
                connection.send(request.bytes());
            }
            for connection in &mut connections {
                assert_eq!(connection.head().status, 200);
                connection.exactly(1 << 20);
            }
            // Whatever is going to be read ahead has been when there is nothing left to do.
            wait::until_true("the server rests", || is_at_rest(&server));
        });
    }
}

/// Whether the server has used no time for a while.
fn is_at_rest(server: &Server) -> bool {
    let used = || {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", server.pid())).unwrap();
        let fields: Vec<_> = stat.rsplit_once(')').unwrap().1.split_whitespace().map(str::to_owned).collect();
        (fields[11].clone(), fields[12].clone())
    };
    let before = used();
    std::thread::sleep(std::time::Duration::from_millis(100));
    before == used()
}
