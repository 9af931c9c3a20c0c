//! Reports as people write them, as data.

use crate::Severity;

/// A report, and what a careful reader takes from it.
pub struct Sample {
    pub report: &'static str,
    pub build: Option<&'static str>,
    pub severity: Severity,
}

/// Worked examples for the prompt; none of them is a sample.
pub const WORKED: &[(&str, &str)] = &[
    (
        "Since 2.14.3 the export button does nothing at all. We can still copy the table by hand, so it is only annoying.",
        r#"{"summary": "The export button does nothing.", "build": "2.14.3", "severity": "medium"}"#,
    ),
    (
        "The whole office is down, nobody can log in since this morning and all work has stopped!",
        r#"{"summary": "Nobody can log in.", "build": null, "severity": "blocking"}"#,
    ),
];

/// What the program reads when it is given nothing.
pub const SAMPLES: &[Sample] = &[
    Sample {
        report: "After the update to 4.2.0 nobody on the team can sign in any more. All work has stopped.",
        build: Some("4.2.0"),
        severity: Severity::Blocking,
    },
    Sample {
        report: "There is a typo on the settings page: it says 'Recieve'. No hurry, it is only cosmetic.",
        build: None,
        severity: Severity::Low,
    },
    Sample {
        report: "Search in build 3.9.1 returns nothing for words with an umlaut. I can still find things by browsing, so it is annoying but there is a way around.",
        build: Some("3.9.1"),
        severity: Severity::Medium,
    },
    Sample {
        report: "Invoices cannot be printed since version 7.0.2. The printing feature does not work at all and customers are waiting.",
        build: Some("7.0.2"),
        severity: Severity::High,
    },
    Sample {
        report: "The logo is two pixels off on the login screen. Just cosmetic.",
        build: None,
        severity: Severity::Low,
    },
    Sample {
        report: "Production is completely down, every request fails and nobody can work. We run 1.8.15.",
        build: Some("1.8.15"),
        severity: Severity::Blocking,
    },
    Sample {
        report: "Dark mode forgets its setting after a restart (seen in 5.1.0). Annoying, but switching it on again helps.",
        build: Some("5.1.0"),
        severity: Severity::Medium,
    },
    Sample {
        report: "Uploading files larger than 2 GB does not work at all any more, the feature is broken for us.",
        build: None,
        severity: Severity::High,
    },
    Sample {
        report: "Hi! In 6.3.4 the tooltip of the save icon is cut off on the right. Purely cosmetic, thanks!",
        build: Some("6.3.4"),
        severity: Severity::Low,
    },
    Sample {
        report: "The database refuses all connections since we installed 2.0.7 last night, the whole company is standing still.",
        build: Some("2.0.7"),
        severity: Severity::Blocking,
    },
];
