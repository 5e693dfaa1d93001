import { type Budget, RenderProblem, spendOutput } from '../liquid/limits.ts';

/** Replaces in one text. Throws RenderProblem if the result or the search is too long. */
export type Replace = (text: string, budget: Budget) => string;

const LOOKUPS_MAX = 10_000_000;
const CHARACTERS_PER_LOOKUP = 16;

/** The keys that begin with one character: their lengths, longest first. */
type Keys = Map<number, number[]>;

/**
 * Literal, case-sensitive replacement of all keys in one pass, from the start of the text: if several keys
 * match, the longest wins; replacements are not searched again. An empty key is ignored.
 */
export function buildReplace(replacements: Readonly<Record<string, string>> = {}): Replace {
  const values = new Map(Object.entries(replacements).filter(([key]) => key !== ''));
  if (values.size === 0) return (text) => text;
  const keys = keysByFirstCharacter(values.keys());
  let lookupsLeft = LOOKUPS_MAX;

  const keyAt = (text: string, at: number): string | undefined => {
    for (const length of keys.get(text.charCodeAt(at)) ?? []) {
      lookupsLeft -= 1 + length / CHARACTERS_PER_LOOKUP;
      if (lookupsLeft < 0) throw new RenderProblem('replace has too many or too long keys for the content');
      const candidate = text.slice(at, at + length);
      if (values.has(candidate)) return candidate;
    }
    return undefined;
  };

  return (text, budget) => {
    const parts: string[] = [];
    let from = 0;
    for (let at = 0; at < text.length; ) {
      const key = keyAt(text, at);
      if (key === undefined) {
        at += 1;
        continue;
      }
      const value = values.get(key) ?? '';
      spendOutput(budget, Math.max(0, value.length - key.length));
      parts.push(text.slice(from, at), value);
      at += key.length;
      from = at;
    }
    return parts.length === 0 ? text : parts.join('') + text.slice(from);
  };
}

function keysByFirstCharacter(keys: Iterable<string>): Keys {
  const lengths = new Map<number, Set<number>>();
  for (const key of keys) {
    const first = key.charCodeAt(0);
    lengths.set(first, (lengths.get(first) ?? new Set()).add(key.length));
  }
  return new Map([...lengths].map(([first, each]) => [first, [...each].sort((a, b) => b - a)]));
}
