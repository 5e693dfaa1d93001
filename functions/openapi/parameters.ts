type Json = Record<string, unknown>;
type Paths<P> = Record<string, Record<string, Json & { parameters: readonly P[] }>>;

/** Moves the parameters that several operations have to `components`, as `UserIdPath` or `LimitQuery`. */
export function withSharedParameters(paths: Paths<Json>): { paths: Paths<Json>; parameters: Json } {
  const all = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ parameters }) => parameters),
  );
  const texts = all.map((parameter) => JSON.stringify(parameter));
  const byText = Map.groupBy(texts, (text) => text);
  // The most frequent of those with the same name has it, the others stay in their operations.
  const repeated = [...byText]
    .filter(([, same]) => same.length > 1)
    .sort(([, left], [, right]) => left.length - right.length);
  const textByName = new Map(repeated.map(([text]) => [componentName(JSON.parse(text)), text]));
  const nameByText = new Map([...textByName].map(([name, text]) => [text, name]));
  const shared = (parameter: Json): Json => {
    const name = nameByText.get(JSON.stringify(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  };
  return {
    paths: mapValues(paths, (methods) =>
      mapValues(methods, (operation) => ({ ...operation, parameters: operation.parameters.map(shared) })),
    ),
    parameters: mapValues(Object.fromEntries([...textByName].sort()), (text) => JSON.parse(text)),
  };
}

function componentName(parameter: { name: string; in: string }): string {
  return `${parameter.name}-${parameter.in}`.replace(/(^|-)(\w)/g, (_, __, letter: string) =>
    letter.toUpperCase(),
  );
}

function mapValues<T, R>(values: Record<string, T>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
