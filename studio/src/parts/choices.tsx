type Props<T extends string> = {
  legend: string;
  /** The field of the request. */
  name?: string;
  all: readonly (readonly [value: T, label: string])[];
  chosen: readonly T[];
  /** Those that cannot be changed. */
  fixed?: readonly T[];
  set: (chosen: T[]) => void;
};

/** A group of checkboxes; reports the checked values in the order of `all`. */
export function Choices<T extends string>({ legend, name, all, chosen, fixed = [], set }: Props<T>) {
  const toggle = (value: T) => {
    const values = all.map(([each]) => each);
    set(values.filter((each) => chosen.includes(each) !== (each === value)));
  };
  return (
    <fieldset class="choices" data-field={name}>
      <legend>{legend}</legend>
      {all.map(([value, label]) => (
        <label class="check" key={value}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            disabled={fixed.includes(value)}
            onChange={() => toggle(value)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
