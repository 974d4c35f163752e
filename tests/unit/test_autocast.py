"""Forward and loss put under autocast, in the loops that people write."""

import textwrap

import pytest

from jupyter_mlprof.advise.autocast import autocast, is_decided
from jupyter_mlprof.advise.cell_source import EarlierCell
from jupyter_mlprof.advise.rule import Clues
from jupyter_mlprof.model.source import apply_edits
from tests.samples import profile

TORCH = (EarlierCell(1, "import torch\n"),)


def changed(source, device="cpu", earlier=TORCH):
    """Return the cell with the fix, as it reads below W for the `with` line; None without one."""
    source = textwrap.dedent(source).lstrip("\n")
    fix = autocast(Clues(profile(), source, earlier), device)
    if fix is None:
        return None
    text = apply_edits(source, fix.edits)
    compile(text.replace("%%mlprof", ""), "<cell>", "exec")
    return text.replace('with torch.autocast("cpu", dtype=torch.bfloat16):', "W")


def expect(before, after):
    assert changed(before) == textwrap.dedent(after).lstrip("\n")


def test_forward_and_loss_are_wrapped_and_the_rest_is_not():
    expect(
        """
        %%mlprof
        for x, y in loader:
            x, y = x.to(dev), y.to(dev)
            # forward
            out = model(x)  # logits

            loss = criterion(out, y)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.item()
        """,
        """
        %%mlprof
        for x, y in loader:
            x, y = x.to(dev), y.to(dev)
            # forward
            W
                out = model(x)  # logits

                loss = criterion(out, y)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            total += loss.item()
        """,
    )


def test_accumulation_keeps_its_division_inside():
    expect(
        """
        for i, (x, y) in enumerate(loader):
          loss = F.mse_loss(net(x), y)
          loss = loss / steps
          loss.backward()
          if i % steps == 0:
            opt.step()
            opt.zero_grad()
        """,
        """
        for i, (x, y) in enumerate(loader):
          W
            loss = F.mse_loss(net(x), y)
            loss = loss / steps
          loss.backward()
          if i % steps == 0:
            opt.step()
            opt.zero_grad()
        """,
    )


def test_a_closure_and_a_function_are_bodies_too():
    expect(
        """
        def closure():
            opt.zero_grad()
            loss = net(x).square().mean()
            loss.backward()
            return loss
        for _ in range(9):
            opt.step(closure)
        """,
        """
        def closure():
            opt.zero_grad()
            W
                loss = net(x).square().mean()
            loss.backward()
            return loss
        for _ in range(9):
            opt.step(closure)
        """,
    )


def test_each_loss_of_two_steps_has_its_own_block():
    expect(
        """
        for real in loader:
            z = torch.randn(8, 4)
            fake = G(z)
            d_loss = bce(D(real), ones) + bce(D(fake.detach()), zeros)
            opt_d.zero_grad()
            d_loss.backward()
            opt_d.step()
            g_loss = bce(D(fake), ones)
            opt_g.zero_grad()
            g_loss.backward()
            opt_g.step()
        """,
        """
        for real in loader:
            z = torch.randn(8, 4)
            W
                fake = G(z)
                d_loss = bce(D(real), ones) + bce(D(fake.detach()), zeros)
            opt_d.zero_grad()
            d_loss.backward()
            opt_d.step()
            W
                g_loss = bce(D(fake), ones)
            opt_g.zero_grad()
            g_loss.backward()
            opt_g.step()
        """,
    )


def test_losses_of_one_forward_pass_share_a_block():
    expect(
        """
        for x, a, b in loader:
            h = body(x)
            one = F.mse_loss(left(h), a)
            two = F.mse_loss(right(h), b)
            one.backward(retain_graph=True)
            two.backward()
            opt.step()
        """,
        """
        for x, a, b in loader:
            W
                h = body(x)
                one = F.mse_loss(left(h), a)
                two = F.mse_loss(right(h), b)
            one.backward(retain_graph=True)
            two.backward()
            opt.step()
        """,
    )


def test_sums_over_heads_and_lists_of_losses_are_followed():
    expect(
        """
        for batch in loader:
            out = model(**batch)
            loss = out.loss
            for head in heads:
                loss = loss + head(out)
            losses = []
            losses.append(loss)
            (sum(losses) / 2).backward()
            opt.step()
        """,
        """
        for batch in loader:
            W
                out = model(**batch)
                loss = out.loss
                for head in heads:
                    loss = loss + head(out)
                losses = []
                losses.append(loss)
            (sum(losses) / 2).backward()
            opt.step()
        """,
    )


def test_the_loss_may_be_computed_in_a_body_around():
    expect(
        """
        for phase in phases:
            for x, y in data[phase]:
                with torch.set_grad_enabled(phase == "train"):
                    out = model(x)
                    loss = criterion(out, y)
                    if phase == "train":
                        loss.backward()
                        opt.step()
        """,
        """
        for phase in phases:
            for x, y in data[phase]:
                with torch.set_grad_enabled(phase == "train"):
                    W
                        out = model(x)
                        loss = criterion(out, y)
                    if phase == "train":
                        loss.backward()
                        opt.step()
        """,
    )


def test_validation_stays_in_float32():
    text = changed(
        """
        for epoch in range(3):
            for x, y in train:
                loss = criterion(model(x), y)
                loss.backward()
                opt.step()
            with torch.no_grad():
                for x, y in valid:
                    right += (model(x).argmax(1) == y).sum()
        """
    )
    assert text.count("W\n") == 1
    assert "with torch.no_grad():\n        for x, y in valid:\n" in text


@pytest.mark.parametrize(
    ("source", "at", "more"),
    [
        ("with torch.no_grad():\n    out = model(x)\n", ":", ", {}"),
        ("with torch.no_grad(), timer():\n    out = model(x)\n", ":", ", {}"),
        ("@torch.inference_mode()\ndef infer(x):\n    return x\ninfer('ä')\n", "\ndef", "\n@{}"),
    ],
)
def test_inference_has_autocast_beside_no_grad(source, at, more):
    before, found, after = source.partition(at)
    context = more.format('torch.autocast("cpu", dtype=torch.bfloat16)')
    assert changed(source) == before + context + found + after


@pytest.mark.parametrize(
    "source",
    [
        "for x in data:\n    criterion(model(x), x).backward()\n",
        "for x in data: loss = model(x); loss.backward()\n",
        "for x in data:\n    loss = model(x); print(x)\n    loss.backward()\n",
        "for x in data:\n    loss = model(x, '''a\n  b''')\n    loss.backward()\n",
        "loss = model(x)\nloss.backward()\n",
        "for x in data:\n    loss = model(x)\n    accelerator.backward(loss)\n",
        "for x in data:\n    loss = model(x)\n    ok = loss.backward()\n",
        "async def f():\n    loss = model(await x)\n    loss.backward()\n",
        "for x in data:\n    out = model(x)\n    out.mean().backward()\n    out.numpy()\n",
        "out = model(x)\n",
        "with torch.no_grad() as nothing:\n    out = model(x)\n",
    ],
)
def test_what_is_not_understood_is_left(source):
    assert changed(source) is None


def test_torch_goes_by_the_name_that_the_cell_has_for_it():
    source = "for x in data:\n    loss = model(x)\n    loss.backward()\n"
    assert changed(source, earlier=()) is None
    text = changed(source, earlier=(EarlierCell(1, "import torch as t\n"),))
    assert 'with t.autocast("cpu", dtype=t.bfloat16):' in text


def test_what_autocast_refuses_on_cuda_is_not_wrapped():
    source = "for x in data:\n    loss = bce(model(x), x)\n    loss.backward()\n"
    earlier = (*TORCH, EarlierCell(2, "bce = nn.BCELoss()\n"))
    assert changed(source, "cuda", earlier) is None
    assert changed(source, "cuda", TORCH) is not None


def test_a_cell_that_speaks_of_precision_has_decided():
    assert is_decided("with torch.autocast('cuda'):\n    pass\n")
    assert is_decided("model.half()\n")
    assert not is_decided("half = x / 2\n")
