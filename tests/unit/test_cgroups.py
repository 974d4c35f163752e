"""What control groups allow, on trees made up for it."""

import pytest

from jupyter_mlprof.collect import cgroups
from jupyter_mlprof.collect.machine import cores_allowed, memory_limit


class Tree:
    """Control groups made of files, and the one that this process is in."""

    def __init__(self, root, patch):
        self.root = root
        self.membership = ""
        real = cgroups.text
        patch.setattr(cgroups, "CGROUPS", str(root))
        patch.setattr(
            cgroups,
            "text",
            lambda path: self.membership if path.endswith("/cgroup") else real(path),
        )

    def put(self, folder, **files):
        group = self.root / folder
        group.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            (group / name.replace("__", ".")).write_text(f"{text}\n")


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(16)), raising=False)
    return Tree(tmp_path, monkeypatch)


def test_the_least_limit_of_nested_groups_holds_in_version_2(tree):
    tree.membership = "0::/pod/box\n"
    tree.put("pod", memory__max=4_000, cpu__max="250000 100000")
    tree.put("pod/box", memory__max="max", cpu__max="max 100000")
    assert memory_limit() == 4_000
    assert cores_allowed() == 2.5
    tree.put("pod/box", memory__max=3_000, cpu__max="50000 100000")
    assert memory_limit() == 3_000
    assert cores_allowed() == 0.5


def test_the_least_limit_of_nested_groups_holds_in_version_1(tree):
    tree.membership = "7:cpu,cpuacct:/user/job\n4:memory:/user/job\n1:name=systemd:/user\n"
    none = (1 << 63) - 4096
    tree.put("memory", memory__limit_in_bytes=none)
    tree.put("memory/user", memory__limit_in_bytes=6_000)
    tree.put("memory/user/job", memory__limit_in_bytes=none)
    tree.put("cpu/user", cpu__cfs_quota_us=300_000, cpu__cfs_period_us=100_000)
    tree.put("cpu/user/job", cpu__cfs_quota_us=-1, cpu__cfs_period_us=100_000)
    assert memory_limit() == 6_000
    assert cores_allowed() == 3.0


def test_a_container_that_sees_only_the_root_is_told_by_it(tree):
    tree.membership = "4:memory:/docker/0123\n3:cpu:/docker/0123\n"
    tree.put("memory", memory__limit_in_bytes=5_000)
    tree.put("cpu", cpu__cfs_quota_us=150_000, cpu__cfs_period_us=100_000)
    assert memory_limit() == 5_000
    assert cores_allowed() == 1.5


def test_a_group_above_the_namespace_leads_nowhere_else(tree, tmp_path):
    tree.membership = "0::/../../secret\n"
    assert cgroups.groups("memory") == [str(tmp_path)]


def test_affinity_holds_where_the_quota_is_more(tree):
    tree.membership = "0::/\n"
    tree.put("", cpu__max="9900000 100000")
    assert cores_allowed() == 16


def test_without_limits_none_is_told(tree):
    tree.membership = "0::/a\n"
    tree.put("a", memory__max="max", cpu__max="max 100000")
    assert memory_limit() is None
    assert cores_allowed() == 16
    tree.membership = ""
    assert cgroups.groups("memory") == []


def test_what_is_left_is_that_of_the_group_with_the_limit(tree):
    """The inner group has no limit of its own, and a neighbour uses most of what both may have."""
    tree.membership = "0::/pod/box\n"
    tree.put("pod", memory__max=10_000, memory__current=9_000, memory__stat="inactive_file 500")
    tree.put("pod/box", memory__max="max", memory__current=1_000, memory__stat="inactive_file 0")
    assert cgroups.memory_room(cgroups.groups("memory")) == 1_500


def test_kills_are_counted_in_version_2(tree):
    tree.membership = "0::/a\n"
    tree.put("a", memory__events="low 0\noom 2\noom_kill 2\noom_group_kill 0")
    assert cgroups.oom_kills(cgroups.groups("memory")) == 2
