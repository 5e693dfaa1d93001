/** Returns true if an event matches an EventBridge pattern or an event source filter: each field has a listed value. */
export function matchesPattern(pattern: unknown, event: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) throw new Error('a pattern is an object or a list');
  if (Array.isArray(pattern)) return pattern.some((each) => matchesValue(each, event));
  return Object.entries(pattern).every(([name, each]) => matchesPattern(each, fieldOf(event, name)));
}

function matchesValue(wanted: unknown, value: unknown): boolean {
  if (Array.isArray(value)) return value.some((each) => matchesValue(wanted, each));
  if (typeof wanted !== 'object' || wanted === null) return wanted === value;
  return Object.entries(wanted).every(([operator, argument]) => {
    switch (operator) {
      case 'prefix':
        return typeof value === 'string' && value.startsWith(String(argument));
      case 'exists':
        return (value !== undefined) === argument;
      case 'anything-but':
        return value !== undefined && ![argument].flat().includes(value);
      default:
        throw new Error(`the pattern operator ${operator} is not evaluated here`);
    }
  });
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

/** The event that a rule's input transformer makes: `<name>` in the template is the value at the path, as JSON. */
export function transformed(
  { InputPathsMap, InputTemplate }: { InputPathsMap: Record<string, string>; InputTemplate: string },
  event: unknown,
): unknown {
  const text = InputTemplate.replace(/<(\w+)>/g, (_, name: string) => {
    const path = (InputPathsMap[name] ?? '').replace('$.', '').split('.');
    return JSON.stringify(path.reduce(fieldOf, event) ?? null);
  });
  return JSON.parse(text);
}
