type Props<T extends string> = {
  /** Its name where no label around it has one. */
  label?: string;
  value: T;
  /** Values with their texts; a value alone is its own text. */
  all: readonly (T | readonly [value: T, text: string])[];
  set: (value: T) => void;
  isWide?: boolean;
};

export function Select<T extends string>({ label, value, all, set, isWide = false }: Props<T>) {
  const options = all.map((each) => (typeof each === 'string' ? ([each, each] as const) : each));
  const choose = (chosen: string) => {
    const option = options.find(([each]) => each === chosen);
    if (option) set(option[0]);
  };
  return (
    <select
      aria-label={label}
      style={isWide ? { flex: 1 } : undefined}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}
