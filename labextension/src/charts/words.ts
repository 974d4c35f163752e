import type { TranslationBundle } from '@jupyterlab/translation';

/** The words of the templates, in the language of the application. */
export function wordsOf(trans: TranslationBundle): ReadonlyMap<string, string> {
  return new Map([
    ['CPU, in cores', trans.__('CPU, in cores')],
    ['Memory', trans.__('Memory')],
    [
      'Read from files; dashed: written',
      trans.__('Read from files; dashed: written')
    ],
    ['GPU, part of the time busy', trans.__('GPU, part of the time busy')],
    ['GPU memory', trans.__('GPU memory')],
    ['GPU power', trans.__('GPU power')],
    ['Step time', trans.__('Step time')],
    ['seconds', trans.__('seconds')],
    ['step', trans.__('step')],
    ['after', trans.__('after')],
    ['before', trans.__('before')],
    ['at', trans.__('at')],
    ['kernel', trans.__('kernel')],
    ['child processes', trans.__('child processes')],
    ['read', trans.__('read')],
    ['written', trans.__('written')],
    ['took', trans.__('took')],
    ['function', trans.__('function')],
    ['time', trans.__('time')],
    ['of all', trans.__('of all')],
    ['this cell', trans.__('this cell')],
    ['your files', trans.__('your files')],
    ['libraries', trans.__('libraries')]
  ]);
}

/** A copy of a template in which every word that people read is translated. */
export function translated<T>(
  template: T,
  words: ReadonlyMap<string, string>
): T {
  return copy(template, say) as T;

  function say(word: string): string {
    return words.get(word) ?? word;
  }
}

/** Every word of a template that people read. */
export function wordsIn(template: unknown): string[] {
  const words = new Set<string>();
  copy(template, word => {
    words.add(word);
    return word;
  });
  return [...words].filter(word => word !== '');
}

function copy(value: unknown, say: (word: string) => string): unknown {
  if (Array.isArray(value)) {
    return value.map(item => copy(item, say));
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [
      key,
      said(key, item, say) ?? copy(item, say)
    ])
  );
}

/** What is read: titles, labels of axes, of legends and of the rows of tooltips. */
function said(
  key: string,
  item: unknown,
  say: (word: string) => string
): unknown {
  if ((key === 'text' || key === 'axis_label') && typeof item === 'string') {
    return say(item);
  }
  if (key === 'label' && isValue(item)) {
    return { ...item, value: say(item.value) };
  }
  if (key === 'tooltips' && Array.isArray(item)) {
    return item.map(([label, column]: [string, string]) => [
      say(label),
      column
    ]);
  }
  return undefined;
}

function isValue(
  item: unknown
): item is { readonly type: 'value'; readonly value: string } {
  return typeof item === 'object' && item !== null && 'value' in item;
}
