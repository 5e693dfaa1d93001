import { EACH, outsideVariables, type Path } from './missing.ts';

/** The parts of the parameters that a content's texts name, and the one of `key`, a path such as `parameters.thread.id`. */
export function namedParameters(
  parameters: Readonly<Record<string, unknown>>,
  contents: readonly unknown[],
  key = '',
): Record<string, unknown> {
  const texts: string[] = key === '' ? [] : [`{{ ${key} }}`];
  JSON.stringify(contents, (_, value) => (typeof value === 'string' ? void texts.push(value) : value));
  const paths = texts
    .flatMap((text) => outsideVariables(text, 'plain'))
    .map((path) => (path[0] === 'parameters' ? path.slice(1) : path));
  return namedPart(parameters, paths) as Record<string, unknown>;
}

/** A value without what no path names. Of a list that is gone through, each entry has what is named of one. */
function namedPart(value: unknown, paths: readonly Path[]): unknown {
  const inner = paths.filter(({ length }) => length > 0);
  if (Array.isArray(value)) {
    const isOfEach = ([name]: Path) => name === EACH || typeof name === 'number';
    if (inner.length === 0 || !inner.every(isOfEach)) return value;
    const rest = inner.map((path) => path.slice(1));
    return value.map((each) => namedPart(each, rest));
  }
  if (typeof value !== 'object' || value === null || inner.length < paths.length) return value;
  const byName = Map.groupBy(inner, ([name = '']) => String(name));
  if (byName.has(EACH)) return value;
  const named = [...byName].filter(([name]) => Object.hasOwn(value, name));
  return Object.fromEntries(
    named.map(([name, own]) => [
      name,
      namedPart(
        Object(value)[name],
        own.map((path) => path.slice(1)),
      ),
    ]),
  );
}
