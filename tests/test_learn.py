"""Learning: the same seed learns the same, a stop changes nothing, and the command."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from solver.cli.group import run as run_here
from solver.cli.learn import SHOWN_ROWS, USUAL_GAMES, _thinned
from solver.errors import Refused
from solver.learn import train
from solver.learn.self_play import Learner, learn
from solver.learn.train import Course, Training, load_training, save_training
from solver.value.chances import bell_curves
from solver.value.features import SIZE, SOLO_SIZE
from solver.value.weights import KINDS, SOLO, SPELLS, Value, hand_made, load, save, shipped
from test_cli import run, said

SURE = np.ones_like(bell_curves())
GAMES = {SOLO: 1200, SPELLS: 300}


def nothing(_):
    pass


def trained(course, every=20_000, keep=nothing):
    training = Training.begin(course)
    training.go_on(nothing, keep, every=every)
    return training


def same(one, other):
    return all(np.array_equal(mine, yours) for mine, yours in zip(one.learner, other.learner, strict=True))


# Learning --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_learns_the_same(kind):
    one, two = (trained(Course(kind, GAMES[kind], seed=4)) for _ in range(2))
    assert same(one, two)
    assert one.curve == two.curve
    other = trained(Course(kind, GAMES[kind], seed=5))
    assert not np.array_equal(one.learner.weights, other.learner.weights)


@pytest.mark.parametrize("kind", KINDS)
def test_a_stop_changes_nothing(kind, tmp_path):
    course = Course(kind, GAMES[kind], seed=6, explore=0.1)
    every = GAMES[kind] // 2
    file = tmp_path / "some.training"

    def keep(training):
        if training.done < course.games:
            save_training(training, file)

    whole = trained(course, every, keep)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    resumed = load_training(file)
    assert (resumed.course, resumed.done) == (course, whole.curve[0][0])
    resumed.go_on(nothing, nothing, every=every)
    assert same(resumed, whole)
    assert resumed.curve == whole.curve
    assert resumed.finish().digest == whole.finish().digest


def test_ticks_and_reports():
    ticks, stages = [], []
    training = Training.begin(Course(SOLO, 1700))
    training.go_on(stages.append, nothing, ticks.append, every=1000)
    assert ticks == [500, 1000, 1500, 1700]
    assert [stage.games for stage in stages] == [1000, 1700] == [games for games, _ in training.curve]
    assert 0 < stages[0].mean < 90


def test_an_entry_learns_fast_while_its_errors_agree():
    learner = Learner(np.zeros(10, dtype=np.float32), np.zeros(10), np.zeros(10))
    entries = np.array([1, 4, 4, 7])
    learn(entries, 8.0, 1.0, learner)
    assert learner.weights[entries].sum() > 0
    assert not learner.weights[[0, 2, 3, 5, 6, 8, 9]].any()
    distances = [8.0]
    for _ in range(6):
        learn(entries, 8.0, 0.5, learner)
        distances.append(abs(8.0 - learner.weights[entries].sum()))
    assert distances == sorted(distances, reverse=True)


def test_an_entry_rests_where_its_errors_cancel_out():
    def move_after(targets):
        learner = Learner(np.zeros(4, dtype=np.float32), np.zeros(4), np.zeros(4))
        for target in targets:
            learn(np.array([1, 2]), learner.weights[1:3].sum() + target, 0.1, learner)
        before = learner.weights[1]
        learn(np.array([1, 2]), learner.weights[1:3].sum() + 5.0, 0.1, learner)
        return learner.weights[1] - before

    assert move_after([5.0, 5.0] * 4) == pytest.approx(0.25)
    assert abs(move_after([5.0, -5.0] * 4)) < 0.05


def test_games_get_shorter():
    # The first games begin with few wizards; those from the start come after them.
    training = trained(Course(SOLO, 30_000), every=3000)
    means = dict(training.curve)
    assert means[3000] < 15
    assert means[21_000] > means[30_000]
    assert means[30_000] < 32  # without learning about 50


def test_what_was_learned_without_spells_is_the_beginning():
    training = Training.begin(Course(SPELLS, 10))
    assert np.array_equal(training.learner.weights[:SOLO_SIZE], shipped(SOLO).weights[:SOLO_SIZE])
    other = Training.begin(Course(SPELLS, 10), hand_made())
    assert np.array_equal(other.learner.weights[:SOLO_SIZE], hand_made().weights[:SOLO_SIZE])
    assert not hand_made().weights[-1]  # and it is not changed
    other.go_on(nothing, nothing)
    assert not np.array_equal(other.learner.weights[:SOLO_SIZE], hand_made().weights[:SOLO_SIZE])


def test_a_card_taken_back_does_not_count_as_played():
    # With `retrieve-card` a game has more turns than cards.
    values, cards, results = train._watch(Course(SPELLS, 1000, seed=8), Value(shipped(SPELLS).weights, SURE))
    assert (len(results), len(values)) == (1000, len(cards))
    assert results.max() < 90  # none is lost
    assert len(values) == results.sum()
    assert cards.min() == 1


@pytest.mark.parametrize("content", ["", "some text", "value"])
def test_a_file_that_is_no_training_is_refused(content, tmp_path):
    file = tmp_path / "some.training"
    if content == "value":
        with file.open("wb") as stream:
            save(hand_made(), stream)
    else:
        file.write_text(content)
    with pytest.raises(Refused, match="'some.training' holds no training"):
        load_training(file)
    with pytest.raises(Refused, match="holds no training"):
        load_training(tmp_path / "missing")


def test_a_training_of_other_tables_is_refused(tmp_path):
    file = tmp_path / "some.training"
    training = Training.begin(Course(games=10))
    save_training(training, file)
    assert load_training(file).done == 0
    fewer = Learner(*(table[:-1] for table in training.learner))
    save_training(Training(training.course, fewer, 0, []), file)
    with pytest.raises(Refused, match="another version"):
        load_training(file)


# The command -----------------------------------------------------------------------------------------------------


def learned(*arguments, cwd):
    code, out, err = run("learn", *arguments, "--json", cwd=cwd)
    assert code == 0, err
    return json.loads(out)


def test_the_usual_games():
    assert tuple(USUAL_GAMES) == KINDS
    assert USUAL_GAMES[SOLO] == Course().games


def test_solo_from_the_command(tmp_path):
    found = learned("solo", "--games", "600", "--seed", "3", "--rate", "2.5", "--explore", ".1", "--out", "a.npz",
                    cwd=tmp_path)  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]
    value = load(tmp_path / "a.npz")
    assert found == {
        "kind": "solo", "games": 600, "seed": 3, "mean": value.about["mean"], "digest": value.digest,
        "file": "a.npz", "curve": [[600, value.about["curve"][0][1]]],
    }  # fmt: skip
    course = Course(SOLO, 600, 3, 2.5, 0.1)
    assert {**value.about}.items() >= {"rate": 2.5, "explore": 0.1, "checked": 600}.items()
    assert trained(course).finish().digest == value.digest
    code, out, _ = run("learn", "solo", "--games", "600", "--seed", "3", "--out", "b.npz", cwd=tmp_path)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == ["games", "600", "mean", "digest", "file"]


def test_spells_from_the_command(tmp_path):
    with (tmp_path / "solo.npz").open("wb") as stream:
        save(Value(hand_made().weights, hand_made().chances, {"kind": "solo"}), stream)
    usual = learned("spells", "--games", "100", "--out", "a.npz", cwd=tmp_path)
    other = learned("spells", "--games", "100", "--from", "solo.npz", "--out", "b.npz", cwd=tmp_path)
    assert usual["digest"] != other["digest"]
    assert load(tmp_path / "b.npz").about["kind"] == "spells"
    assert load(tmp_path / "b.npz").digest == other["digest"]
    code, _, err = run("learn", "spells", "--from", "b.npz", "--out", "c.npz", cwd=tmp_path)
    assert (code, said(err)) == (2, ["towers: --from: 'b.npz' was not learned for solo"])


def test_resume_from_the_command(tmp_path):
    course = Course(SOLO, 1000, seed=7)

    def keep(training):
        if training.done == 500:
            save_training(training, tmp_path / "a.npz.training")

    trained(course, 500, keep)
    resumed = learned("solo", "--resume", "a.npz.training", "--out", "a.npz", cwd=tmp_path)
    whole = learned("solo", "--games", "1000", "--seed", "7", "--out", "b.npz", cwd=tmp_path)
    assert resumed["digest"] == whole["digest"]
    assert [games for games, _ in resumed["curve"]] == [500, 1000]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.npz", "b.npz"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess", "--out", "a"], ["expected solo or spells", "'chess'"]),
        (["solo"], ["--out"]),
        (["solo", "--out", ""], ["--out"]),
        (["solo", "--games", "0", "--out", "a"], ["--games", "'0'"]),
        (["solo", "--games", "many", "--out", "a"], ["--games", "'many'"]),
        (["solo", "--seed", "-1", "--out", "a"], ["--seed"]),
        (["solo", "--rate", "0", "--out", "a"], ["--rate", "'0'", "above 0"]),
        (["solo", "--rate", "nan", "--out", "a"], ["--rate", "'nan'"]),
        (["solo", "--explore", "1.5", "--out", "a"], ["--explore", "'1.5'"]),
        (["solo", "--from", "kept", "--out", "a"], ["--from", "spells"]),
        (["spells", "--from", "text", "--out", "a"], ["'text' holds no value"]),
        (["spells", "--from", "nowhere", "--out", "a"], ["'nowhere' holds no value"]),
        (["solo", "--out", "nowhere/a"], ["--out", "no folder 'nowhere'"]),
        (["solo", "--out", "folder"], ["--out", "'folder' is a folder"]),
        (["solo", "--keep", "nowhere/a", "--out", "a"], ["--keep", "no folder 'nowhere'"]),
        (["solo", "--keep", "a", "--out", "a"], ["--keep", "another file"]),
        (["solo", "--keep", "kept", "--out", "a"], ["'kept' is there already", "--resume"]),
        (["solo", "--resume", "text", "--out", "a"], ["'text' holds no training"]),
        (["solo", "--resume", "nowhere", "--out", "a"], ["'nowhere' holds no training"]),
        (["spells", "--resume", "kept", "--out", "a"], ["'kept' is a training for solo, not for spells"]),
        (["solo", "--resume", "kept", "--games", "5", "--out", "a"], ["--games", "--resume"]),
        (["spells", "--resume", "kept", "--from", "x", "--out", "a"], ["--from", "--resume"]),
    ],
)
def test_what_cannot_be_learned_is_refused_before_it_begins(arguments, words, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("solver.cli.learn.prepare_learning", lambda: pytest.fail("it began"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_text("text")
    (tmp_path / "folder").mkdir()
    save_training(Training.begin(Course(games=10)), tmp_path / "kept")
    assert run_here(["learn", *arguments]) == 2
    (spoken,) = capsys.readouterr().err.splitlines()
    assert all(word in spoken for word in words)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "kept", "text"]


def test_ctrl_c_leaves_a_training_to_go_on_with(tmp_path):
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    begin = [sys.executable, "-c", f"{heed}; from solver.cli import main; main()"]
    arguments = ["learn", "solo", "--games", "21000", "--out", "a.npz"]
    process = subprocess.Popen([*begin, *arguments], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    kept = tmp_path / "a.npz.training"
    until = time.monotonic() + 120
    try:
        while not kept.exists() and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert said(err) == ["towers: stopped; to go on: towers learn solo --resume a.npz.training --out a.npz"]
    assert [path.name for path in tmp_path.iterdir()] == [kept.name]
    training = load_training(kept)
    assert (training.done, len(training.curve)) in ((20_000, 1), (21_000, 2))
    assert training.learner.weights.shape == (SIZE,)


def test_ctrl_c_before_anything_is_kept(tmp_path):
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    begin = [sys.executable, "-c", f"{heed}; print(flush=True); from solver.cli import main; main()"]
    arguments = ["learn", "spells", "--games", "100000", "--out", "a.npz"]
    process = subprocess.Popen(
        [*begin, *arguments], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.readline()
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode in (130, -signal.SIGINT)  # the latter while kernels are loaded
    assert said(err) in ([], ["towers: stopped"], ["towers: stopped before the first 20,000 games, so nothing is kept"])
    assert not list(tmp_path.iterdir())


def test_a_long_curve_is_shown_thinned():
    for length in (1, 5, 16, 17, 30, 100, 101):
        curve = [(20_000 * (number + 1), float(number)) for number in range(length)]
        shown = _thinned(curve)
        assert len(shown) <= SHOWN_ROWS
        assert shown[-1] == curve[-1]
        assert shown == sorted(shown)
        steps = {later[0] - earlier[0] for earlier, later in zip(shown, shown[1:], strict=False)}
        assert len(steps) <= 1
    assert _thinned([]) == []
