type Bound<F> = {
  [N in keyof F]: F[N] extends (store: never, ...rest: infer R) => infer A ? (...rest: R) => A : never;
};

/** Functions that take a store first, as the methods of that store. */
export function bound<S, const F extends Record<string, (store: S, ...rest: never[]) => unknown>>(
  store: S,
  functions: F,
): Bound<F> {
  return Object.fromEntries(
    Object.entries(functions).map(([name, call]) => [name, call.bind(undefined, store)]),
  ) as Bound<F>;
}
