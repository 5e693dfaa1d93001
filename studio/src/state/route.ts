import { signal } from '@preact/signals';

/** The address after `#/`: a view, the selected entry, and filters. */
export type Place = { view: string; path: string[]; query: URLSearchParams };

export const place = signal<Place>(readPlace());

/** Reads the place from the address, which changes before `place` does. */
export function readPlace(): Place {
  const [path = '', search = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const query = new URLSearchParams(search);
  try {
    const [view = '', ...rest] = path.split('/').map(decodeURIComponent);
    return { view: view || 'outbox', path: rest, query };
  } catch {
    // A percent sign that encodes nothing: no view has this name.
    return { view: path, path: [], query };
  }
}

addEventListener('hashchange', () => {
  place.value = readPlace();
});

/** Builds an address; empty query values are omitted. */
export function addressOf(
  segments: readonly string[],
  query: Record<string, string | undefined> = {},
): string {
  const entries = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(entries).toString();
  return `#/${segments.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`;
}

export function go(segments: readonly string[], query: Record<string, string | undefined> = {}): void {
  location.hash = addressOf(segments, query);
}

/** Replaces the filters of this address without a new entry in the history. */
export function setQuery(query: Record<string, string | undefined>): void {
  const { view, path } = place.value;
  history.replaceState(undefined, '', addressOf([view, ...path], query));
  place.value = readPlace();
}
