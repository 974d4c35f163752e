"""What stands out of a part of the page."""

# Elements that stand out on the right; those inside of one that is cut there do not.
STANDING_OUT = """root => {
  const clips = e => getComputedStyle(e).overflowX !== 'visible';
  const cut = e => e !== root && (clips(e) || cut(e.parentElement));
  const right = root.getBoundingClientRect().right;
  const out = e => e.getBoundingClientRect().right > right + 0.5 && !cut(e.parentElement);
  return [...root.querySelectorAll('*')].filter(out).map(e => e.outerHTML.slice(0, 80));
}"""
