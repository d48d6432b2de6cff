//! Addresses that no URL may lead to (`contract: guards §5`).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::denial::UrlDenial;

/// Always denied: this host, private and link-local networks, networks for protocols, documentation and benchmarks,
/// the reserved class, and a cloud's metadata service.
const DENIED_V4: [(Ipv4Addr, u32); 14] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 29),
    (Ipv4Addr::new(192, 0, 0, 170), 31),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    (Ipv4Addr::new(100, 100, 100, 200), 32),
];

/// Denied besides with `block_private_networks`: carriers' shared networks, multicast.
const PRIVATE_V4: [(Ipv4Addr, u32); 2] = [(Ipv4Addr::new(100, 64, 0, 0), 10), (Ipv4Addr::new(224, 0, 0, 0), 4)];

/// Always denied: unspecified, loopback, discard, protocols, documentation, unique local and link-local.
const DENIED_V6: [(Ipv6Addr, u32); 7] = [
    (Ipv6Addr::UNSPECIFIED, 128),
    (Ipv6Addr::LOCALHOST, 128),
    (Ipv6Addr::new(0x100, 0, 0, 0, 0, 0, 0, 0), 64),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10),
];

/// What IANA gives out as global unicast. With `block_private_networks` everything else is denied: multicast, and what
/// is reserved.
const GLOBAL_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// IPv6 networks whose last 32 bits are an IPv4 address: compatible, mapped, NAT64.
const CARRIERS: [(Ipv6Addr, u32); 3] = [
    (Ipv6Addr::UNSPECIFIED, 96),
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96),
    (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96),
];

/// 6to4: the IPv4 address follows the first 16 bits.
const SIX_TO_FOUR: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16);

/// Which addresses may be connected to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddressRule {
    /// Whether shared networks, multicast and reserved addresses are denied like private ones.
    pub block_private_networks: bool,
}

impl AddressRule {
    /// Judges one address. IPv6 that carries an IPv4 address is judged as that.
    ///
    /// # Errors
    /// [`UrlDenial::Address`].
    pub fn judge(self, address: IpAddr) -> Result<(), UrlDenial> {
        let is_denied = match address {
            IpAddr::V4(address) => self.denies_v4(address),
            IpAddr::V6(address) => match carried(address) {
                // `::` and `::1` lie in a carrier too; as IPv4 they are in 0/8.
                Some(inner) => self.denies_v4(inner),
                None => self.denies_v6(address),
            },
        };
        if is_denied { Err(UrlDenial::Address) } else { Ok(()) }
    }

    fn denies_v4(self, address: Ipv4Addr) -> bool {
        let lies_in = |networks: &[(Ipv4Addr, u32)]| networks.iter().any(|network| covers_v4(*network, address));
        lies_in(&DENIED_V4) || (self.block_private_networks && lies_in(&PRIVATE_V4))
    }

    fn denies_v6(self, address: Ipv6Addr) -> bool {
        DENIED_V6.iter().any(|network| covers_v6(*network, address))
            || (self.block_private_networks && !covers_v6(GLOBAL_V6, address))
    }
}

/// The IPv4 address inside an IPv6 one.
fn carried(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [_, a, b, .., c, d] = address.segments();
    let (high, low) = if CARRIERS.iter().any(|network| covers_v6(*network, address)) {
        (c, d)
    } else if covers_v6(SIX_TO_FOUR, address) {
        (a, b)
    } else {
        return None;
    };
    Some(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)))
}

fn covers_v4((network, length): (Ipv4Addr, u32), address: Ipv4Addr) -> bool {
    let differs = network.to_bits() ^ address.to_bits();
    differs.leading_zeros() >= length
}

fn covers_v6((network, length): (Ipv6Addr, u32), address: Ipv6Addr) -> bool {
    let differs = network.to_bits() ^ address.to_bits();
    differs.leading_zeros() >= length
}
