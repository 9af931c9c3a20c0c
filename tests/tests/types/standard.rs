//! The types of std, of `serde_json` and of this crate.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8};
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, SystemTime};

use response_schema::entries::{self, Entries};
use response_schema::json_text::JsonText;
use response_schema::{ResponseSchema, SchemaRef};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::trial::{Row, rows, trial, trial_by};

pub(crate) fn rows() -> Vec<Row> {
    [numbers(), text(), lists(), wrappers(), shapes(), ours()].into_iter().flatten().collect()
}

fn numbers() -> Vec<Row> {
    let nonzero = |value| NonZero::<u8>::new(value).expect("not zero");
    rows! {
        "bool": bool = [true, false]; not [null, 0, "true"]
        "i8": i8 = [i8::MIN, 0, i8::MAX]; not [128, (-129), 0.5, "1"]
        "u8": u8 = [0, u8::MAX]; not [256, (-1)]
        "i16": i16 = [i16::MIN, i16::MAX]; not [32768]
        "u16": u16 = [0, u16::MAX]; not [65536, (-1)]
        "i32": i32 = [i32::MIN, i32::MAX]; not [2_147_483_648_u64]
        "u32": u32 = [0, u32::MAX]; not [4_294_967_296_u64, (-1)]
        "i64": i64 = [i64::MIN, i64::MAX]; not [0.5] but [(u64::MAX)]
        "u64": u64 = [0, u64::MAX]; not [(-1)]
        "isize": isize = [-1, 1]; not [0.5]
        "usize": usize = [0, 1]; not [(-1)]
        "f32": f32 = [0.0, -1.5, f32::MAX]; not ["1"]
        "f64": f64 = [0.0, f64::MIN, f64::MAX, f64::EPSILON]; not ["1"]
        "NonZero<u8>": NonZero<u8> = [nonzero(1), nonzero(255)]; not [0, 256]
        "NonZero<u16>": NonZero<u16> = [NonZero::<u16>::MIN, NonZero::<u16>::MAX]; not [0, 65536]
        "NonZero<u32>": NonZero<u32> = [NonZero::<u32>::MIN, NonZero::<u32>::MAX]; not [0, 4_294_967_296_u64]
        "NonZero<u64>": NonZero<u64> = [NonZero::<u64>::MIN, NonZero::<u64>::MAX]; not [0]
        "NonZero<usize>": NonZero<usize> = [NonZero::<usize>::MIN]; not [0]
        "NonZero<i8>": NonZero<i8> = [NonZero::<i8>::MIN, NonZero::<i8>::MAX]; not [128] but [0]
        "NonZero<i16>": NonZero<i16> = [NonZero::<i16>::MIN, NonZero::<i16>::MAX]; not [32768] but [0]
        "NonZero<i32>": NonZero<i32> = [NonZero::<i32>::MIN, NonZero::<i32>::MAX]; not [2_147_483_648_u64] but [0]
        "NonZero<i64>": NonZero<i64> = [NonZero::<i64>::MIN, NonZero::<i64>::MAX]; not [0.5] but [0]
        "NonZero<isize>": NonZero<isize> = [NonZero::<isize>::MIN, NonZero::<isize>::MAX]; not [0.5] but [0]
        "AtomicBool": AtomicBool = [AtomicBool::new(true)]; not [1]
        "AtomicU8": AtomicU8 = [AtomicU8::new(255)]; not [256]
        "AtomicI64": AtomicI64 = [AtomicI64::new(-1)]; not ["1"]
        "serde_json::Number": serde_json::Number = [7.into(), u64::MAX.into(), (-1).into()]; not ["1", null]
    }
}

fn text() -> Vec<Row> {
    let mut rows = rows! {
        "String": String = [String::new(), "\u{1f980}\n\"".to_owned()]; not [null, 1]
        "Box<str>": Box<str> = ["a".into()]; not [1]
        "Rc<str>": Rc<str> = ["a".into()]; not [1]
        "Arc<str>": Arc<str> = ["a".into()]; not [1]
        "Cow<str>": Cow<'static, str> = ["a\n".into()]; not [1]
        "char": char = ['a', '\n', '\u{1f980}']; not ["", "ab", "\r\n"]
        "PathBuf": PathBuf = ["../a".into()]; not [1]
        "Box<Path>": Box<Path> = [Path::new("a").into()]; not [1]
        "Ipv4Addr": Ipv4Addr = [Ipv4Addr::LOCALHOST, Ipv4Addr::BROADCAST]; not ["1.2.3", "::1"]
        "Ipv6Addr": Ipv6Addr = [Ipv6Addr::LOCALHOST, Ipv4Addr::LOCALHOST.to_ipv6_mapped()]; not ["1.2.3.4", "fe80::1%1"]
        "IpAddr": IpAddr = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]; not ["localhost", "1.2.3"]
        "SocketAddrV4": SocketAddrV4 = ["1.2.3.4:5".parse().expect("an address")]; not ["[::1]:5", "1.2.3.4"]
        "SocketAddrV6": SocketAddrV6 = ["[::1%2]:5".parse().expect("an address")]; not ["1.2.3.4:5", "[::1]", "::1"]
        "SocketAddr": SocketAddr = ["1.2.3.4:5", "[::1]:5"].map(|text| text.parse().expect("an address")); not ["localhost:80"]
    };
    // Borrowed text is read from a reply that outlives it; text with an escape cannot be.
    let escaped = ["\n", "\"", "\\", "\0", "{\"a\":1}"].map(Value::from).to_vec();
    let read = |value: Value| serde_json::from_str::<&str>(&value.to_string()).map(drop);
    rows.push(trial_by::<&str, _>("&str", vec!["a"], vec![json!(1)], &escaped, read));
    let read = |value: Value| serde_json::from_str::<&Path>(&value.to_string()).map(drop);
    rows.push(trial_by::<&Path, _>("&Path", vec![Path::new("a")], vec![json!(1)], &escaped, read));
    rows
}

fn lists() -> Vec<Row> {
    rows! {
        "Vec<T>": Vec<u8> = [vec![], vec![1, 2]]; not [null, [256], {}]
        "Box<[T]>": Box<[u8]> = [vec![1].into()]; not [[256]]
        "Arc<[T]>": Arc<[u8]> = [vec![1].into()]; not [[256]]
        "Cow<[T]>": Cow<'static, [u8]> = [vec![1].into()]; not [[256]]
        "[T; N]": [u8; 2] = [[1, 2]]; not [[], [1], [1, 2, 3]]
        "[T; 0]": [u8; 0] = [[]]; not [[1]]
        "VecDeque<T>": VecDeque<u8> = [VecDeque::from([1])]; not [[256]]
        "LinkedList<T>": LinkedList<u8> = [LinkedList::from([1])]; not [[256]]
        "BinaryHeap<T>": BinaryHeap<u8> = [BinaryHeap::from([2, 1])]; not [[256]]
        "BTreeSet<T>": BTreeSet<u8> = [BTreeSet::from([2, 1])]; not [[256]]
        "HashSet<T>": HashSet<u8> = [HashSet::from([2, 1])]; not [[256]]
        "(T,)": (u8,) = [(1,)]; not [[], [1, 2]]
        "(T, T)": (u8, u8) = [(1, 2)]; not [[1], [1, 2, 3], [1, "a"]]
        "(T, T, T)": (String, String, String) = [Default::default()]; not [["a", "b"]]
        "(T, … eight of them)": (u8, u8, u8, u8, u8, u8, u8, u8) = [(1, 2, 3, 4, 5, 6, 7, 8)]; not [[1]]
    }
}

fn wrappers() -> Vec<Row> {
    rows! {
        "Option<T>": Option<u8> = [None, Some(1)]; not [256]
        "Box<T>": Box<u8> = [Box::new(1)]; not [256]
        "Rc<T>": Rc<u8> = [Rc::new(1)]; not [256]
        "Arc<T>": Arc<u8> = [Arc::new(1)]; not [256]
        "Cell<T>": Cell<u8> = [Cell::new(1)]; not [256]
        "RefCell<T>": RefCell<u8> = [RefCell::new(1)]; not [256]
        "Mutex<T>": Mutex<u8> = [Mutex::new(1)]; not [256]
        "RwLock<T>": RwLock<u8> = [RwLock::new(1)]; not [256]
        "Wrapping<T>": Wrapping<u8> = [Wrapping(1)]; not [256]
        "Saturating<T>": Saturating<u8> = [Saturating(1)]; not ["1"]
        "Reverse<T>": Reverse<u8> = [Reverse(1)]; not [256]
    }
}

fn shapes() -> Vec<Row> {
    let nanos = Duration::new(u64::MAX, 999_999_999);
    rows! {
        "()": () = [()]; not [0, {}]
        "PhantomData<T>": PhantomData<u8> = [PhantomData]; not [0, "a"]
        "Result<T, E>": Result<u8, String> = [Ok(1), Err("a".to_owned())]; not [{"Ok": 256}, {}, {"Ok": 1, "Err": "a"}, "Ok"]
        "Duration": Duration = [Duration::ZERO, nanos]; not [{"secs": (-1), "nanos": 0}, {"secs": 1}, {"secs": 1, "nanos": 0, "more": 1}, "1s"]
        "SystemTime": SystemTime = [SystemTime::UNIX_EPOCH]; not [{"secs_since_epoch": (-1), "nanos_since_epoch": 0}]
        "Range<T>": Range<u8> = [0..1, 1..2]; not [{"start": 1}, {"start": 1, "end": 256}, {"start": 1, "end": 2, "more": 3}]
        "RangeInclusive<T>": RangeInclusive<u8> = [1..=2]; not [{"start": 1}]
        "RangeFrom<T>": RangeFrom<u8> = [1..]; not [{"end": 1}]
        "RangeTo<T>": RangeTo<u8> = [..1]; not [{"start": 1}]
        "Bound<T>": Bound<u8> = [Bound::Unbounded, Bound::Included(1), Bound::Excluded(2)]; not ["Included", {"Included": 256}, {}]
    }
}

/// A map whose entries are written and read by this crate.
#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent, bound = "M: entries::WriteEntries + for<'a> entries::ReadEntries<'a>")]
pub(crate) struct Map<M>(#[serde(with = "response_schema::entries")] pub(crate) M);

impl<M: entries::EntriesOf> ResponseSchema for Map<M> {
    const SCHEMA: SchemaRef = Entries::<M>::SCHEMA;
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(transparent)]
struct Free(#[serde(with = "response_schema::json_text")] Value);

impl ResponseSchema for Free {
    const SCHEMA: SchemaRef = JsonText::SCHEMA;
}

fn ours() -> Vec<Row> {
    let mut rows = rows! {
        "HashMap<K, V> with entries": Map<HashMap<String, u8>> = [Map(HashMap::from([("a".to_owned(), 1)]))]; not [{}, {"a": 1}, [1]]
        "BTreeMap<K, V> with entries": Map<BTreeMap<String, u8>> = [Map(BTreeMap::new())]; not [null]
        "Option of a map with entries": Map<Option<BTreeMap<u8, u8>>> = [Map(None), Map(Some([(1, 2)].into()))]; not [{}]
    };
    // That text is JSON, no schema of a provider can say. serde takes the value itself as well.
    let value: Value = json!({"a": [1, null]});
    let not_json: Vec<Value> = crate::pool::pool()
        .into_iter()
        .filter(|value| value.as_str().is_some_and(|text| serde_json::from_str::<Value>(text).is_err()))
        .collect();
    rows.push(trial("any JSON with json_text", vec![Free(value)], Vec::new(), &not_json));
    rows
}
