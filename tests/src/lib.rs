//! Fixtures and judges that more than one test shares.

pub mod fixtures;
pub mod hostile;
pub mod judge;
pub mod noise;
pub mod promise;
pub mod schemas;
