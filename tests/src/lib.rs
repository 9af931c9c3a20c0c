//! Fixtures and judges that more than one test shares.

pub mod fixtures;
pub mod judge;
pub mod loopback;
