//! Any bytes as the reply of a type.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| response_schema_tests::promise::decode_bytes(data));
