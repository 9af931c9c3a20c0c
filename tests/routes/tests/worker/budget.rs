//! What tasks may take together.

use response_schema::adapter::Usage;
use response_schema::testing::{Scripted, Turn, VirtualClock};
use response_schema::worker::{Budget, BudgetLimit, Outcome, Prices, Withheld};
use response_schema::{Error, ErrorKind, Worker};

use super::{BAD, GOOD, Pet, seconds, task};

fn usage(input: u64, output: u64) -> Usage {
    Usage::new(input, output)
}

fn exceeded(error: &Error) -> BudgetLimit {
    assert_eq!(error.kind(), ErrorKind::BudgetExceeded);
    error.budget().expect("what was reached").limit
}

#[test]
fn calls_are_never_exceeded_by_workers_that_share_a_budget() {
    let budget = Budget::new().max_calls(3);
    let model = Scripted::new([BAD, GOOD, GOOD, GOOD]);
    let (one, other) =
        (Worker::new(model.clone()).budget(budget.clone()), Worker::new(model.clone()).budget(budget.clone()));
    assert!(pollster::block_on(one.run::<Pet>(task())).is_ok());
    assert!(pollster::block_on(other.run::<Pet>(task())).is_ok());
    let error = pollster::block_on(one.run::<Pet>(task())).expect_err("no budget");
    assert_eq!(exceeded(&error), BudgetLimit::Calls);
    assert_eq!(error.budget().expect("what was reached").spent.calls, 3);
    assert!(error.report().attempts.is_empty());
    assert_eq!(model.requests().len(), 3);
    assert_eq!(budget.spent().calls, 3);
}

#[test]
fn a_retry_is_withheld_when_nothing_is_left() {
    let model = Scripted::new([BAD, GOOD]);
    let worker = Worker::new(model.clone()).budget(Budget::new().max_calls(1));
    let error = pollster::block_on(worker.run::<Pet>(task())).expect_err("no retry");
    // The reply is what was wrong; that there was no second one, the report says.
    assert_eq!(error.kind(), ErrorKind::InvalidOutput);
    let Some(Withheld::Budget(exceeded)) = &error.report().withheld else { panic!("{:?}", error.report().withheld) };
    assert_eq!((exceeded.limit, exceeded.spent.calls), (BudgetLimit::Calls, 1));
    assert!(error.report().to_string().contains("no retry   the budget is used up: 1 of 1 calls are made"));
}

#[test]
fn tokens_are_counted_over_all_attempts() {
    let turn = |text: &str| Turn::text(text).usage(usage(100, 20));
    let budget = Budget::new().max_tokens(230);
    let worker = Worker::new(Scripted::new([turn(BAD), turn(GOOD), turn(GOOD)])).budget(budget.clone());
    assert_eq!(pollster::block_on(worker.run::<Pet>(task())).expect("a pet").report.usage, usage(200, 40));
    let error = pollster::block_on(worker.run::<Pet>(task())).expect_err("no budget");
    assert_eq!(exceeded(&error), BudgetLimit::Tokens);
    assert_eq!(budget.spent().usage.input_tokens, 200);
}

#[test]
fn time_ends_the_call_that_is_under_way() {
    let clock = VirtualClock::new();
    let model = Scripted::new([Turn::text(GOOD).after(seconds(2)), Turn::text(GOOD).after(seconds(60))]).clock(&clock);
    let budget = Budget::new().max_time(seconds(5));
    let worker = Worker::new(model.clone()).clock(clock.clone()).timeout(seconds(100)).budget(budget.clone());
    assert!(clock.run(worker.run::<Pet>(task())).is_ok());
    let error = clock.run(worker.run::<Pet>(task())).expect_err("no time");
    assert_eq!((exceeded(&error), clock.elapsed()), (BudgetLimit::Time, seconds(5)));
    assert_eq!(error.report().attempts[0].outcome, Outcome::TimedOut);
    let error = clock.run(worker.run::<Pet>(task())).expect_err("no time");
    assert_eq!((exceeded(&error), model.requests().len()), (BudgetLimit::Time, 2));
}

#[test]
fn a_task_that_is_late_is_late_whatever_the_budget() {
    let clock = VirtualClock::new();
    let model = Scripted::new([Turn::silence()]).clock(&clock);
    let worker = Worker::new(model).clock(clock.clone()).timeout(seconds(3)).budget(Budget::new().max_time(seconds(5)));
    assert_eq!(clock.run(worker.run::<Pet>(task())).expect_err("late").kind(), ErrorKind::Timeout);
}

#[test]
fn money_is_counted_with_the_prices_or_as_the_route_states_it() {
    let turn = || Turn::text(GOOD).usage(usage(1_000_000, 500_000)).model("small");
    let budget = Budget::new()
        .max_cost_usd(2.5)
        .prices(Prices::per_million(9.0, 9.0))
        .prices_of("small", Prices::per_million(0.5, 1.0));
    let worker = Worker::new(Scripted::new([turn(), turn(), turn(), turn()])).budget(budget.clone());
    for _ in 0..3 {
        assert!(pollster::block_on(worker.run::<Pet>(task())).is_ok());
    }
    assert_eq!(exceeded(&pollster::block_on(worker.run::<Pet>(task())).expect_err("no money")), BudgetLimit::Cost);
    assert_eq!(budget.spent().usage.cost_usd, Some(3.0));

    let mut stated = usage(10, 10);
    stated.cost_usd = Some(0.75);
    let budget = Budget::new().max_cost_usd(0.5);
    let worker = Worker::new(Scripted::new([Turn::text(GOOD).usage(stated)]).then(GOOD)).budget(budget.clone());
    assert!(pollster::block_on(worker.run::<Pet>(task())).is_ok());
    assert_eq!(exceeded(&pollster::block_on(worker.run::<Pet>(task())).expect_err("no money")), BudgetLimit::Cost);
}

#[test]
fn cached_tokens_have_their_own_price() {
    let mut usage = usage(1_000_000, 0);
    usage.cached_input_tokens = 400_000;
    let budget = Budget::new().prices(Prices::per_million(1.0, 5.0).cached(0.1));
    let worker = Worker::new(Scripted::new([Turn::text(GOOD).usage(usage)])).budget(budget.clone());
    assert!(pollster::block_on(worker.run::<Pet>(task())).is_ok());
    let cost = budget.spent().usage.cost_usd.expect("a cost");
    assert!((cost - 0.64).abs() < 1e-9, "{cost}");
}

#[test]
fn a_limit_that_is_no_number_leaves_no_room() {
    for most in [f64::NAN, -1.0, 0.0] {
        let model = Scripted::new([GOOD]);
        let worker = Worker::new(model.clone()).budget(Budget::new().max_cost_usd(most));
        assert_eq!(exceeded(&pollster::block_on(worker.run::<Pet>(task())).expect_err("no money")), BudgetLimit::Cost);
        assert!(model.requests().is_empty());
    }
    // Nor does a price that is none.
    let budget = Budget::new().max_cost_usd(1.0).prices(Prices::per_million(f64::NAN, 1.0));
    let worker = Worker::new(Scripted::new([GOOD, GOOD])).budget(budget);
    assert!(pollster::block_on(worker.run::<Pet>(task())).is_ok());
    assert_eq!(exceeded(&pollster::block_on(worker.run::<Pet>(task())).expect_err("no money")), BudgetLimit::Cost);
}

#[test]
fn a_cost_that_cannot_be_counted_is_not_taken_for_none() {
    let worker =
        Worker::new(Scripted::new([Turn::text(GOOD).model("big")]).then(GOOD)).budget(Budget::new().max_cost_usd(1.0));
    assert!(pollster::block_on(worker.run::<Pet>(task())).is_ok());
    let error = pollster::block_on(worker.run::<Pet>(task())).expect_err("no price");
    assert_eq!(exceeded(&error), BudgetLimit::UnknownCost);
    let why = std::error::Error::source(&error).expect("a reason").to_string();
    assert!(why.contains("`big`"), "{why}");
}
