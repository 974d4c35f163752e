import { expect, vi } from 'vitest';

const FORBIDDEN = new Set(
  'script img iframe object embed style link meta base a form video'.split(' ')
);

/** Make sure that something is drawn, and that it is nothing but text and shapes. */
export function check(drawn: HTMLElement): void {
  const text = drawn.textContent.trim();
  const faults: string[] = [];
  if (text === '' || text.includes('could not be drawn')) {
    faults.push(`drawn as “${text}”`);
  }
  for (const node of drawn.querySelectorAll('*')) {
    if (FORBIDDEN.has(node.localName)) {
      faults.push(node.localName);
    }
    for (const { name, value } of node.attributes) {
      if (/^on|^src|href|^data$/i.test(name)) {
        faults.push(name);
      }
      if (name === 'style' && /url|expression/i.test(value)) {
        faults.push(value);
      }
    }
  }
  expect(faults).toEqual([]);
}

/** Make sure that nothing was executed, logged or left behind while `action` ran. */
export async function harmless(action: () => Promise<void>): Promise<void> {
  const error = vi.spyOn(console, 'error');
  const warn = vi.spyOn(console, 'warn');
  await action();
  expect(error).not.toHaveBeenCalled();
  expect(warn).not.toHaveBeenCalled();
  expect('pwned' in window).toBe(false);
  expect('polluted' in {}).toBe(false);
  expect(document.body.childElementCount).toBe(0);
}
