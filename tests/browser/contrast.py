"""How well text can be told from its background, after WCAG 2.2."""

from collections.abc import Sequence

from playwright.sync_api import Locator

AA = 4.5

# Colours are painted one over the other by the browser itself: computed styles may be translucent.
PAINT = """element => {
  const colours = [getComputedStyle(element).color];
  for (let at = element; at; at = at.parentElement) {
    colours.push(getComputedStyle(at).backgroundColor);
  }
  const canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext('2d');
  const paint = colour => {
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  };
  const [text, ...behind] = colours;
  paint('white');
  const background = behind.reverse().map(paint).pop();
  return [background, paint(text)];
}"""


def contrast(element: Locator) -> float:
    """Return the contrast of an element's text with what lies behind it, 1 to 21."""
    return contrast_of(*element.evaluate(PAINT))


def contrast_of(one: Sequence[int], other: Sequence[int]) -> float:
    """Return the contrast of two colours, each red, green and blue up to 255."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Sequence[int]) -> float:
    red, green, blue = (_linear(channel / 255) for channel in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
