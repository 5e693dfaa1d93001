/** A posted form: a field that came more than once has all its values, in order. */
export type FormParams = Readonly<Record<string, string | string[]>>;

/** The fields of an `application/x-www-form-urlencoded` body. */
export function parseForm(body: string): FormParams {
  const params = new URLSearchParams(body);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? '')];
    }),
  );
}

/** The first value of a field; undefined when it is missing or empty. */
export function findField(params: FormParams, name: string): string | undefined {
  const value = Object.hasOwn(params, name) ? params[name] : undefined;
  return (Array.isArray(value) ? value[0] : value) || undefined;
}
