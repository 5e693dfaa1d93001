type Given = { label: string; value: string | undefined; width: string; onChange: (value: string) => void };

/** A search field of a filter bar. It filters when the value is entered, or with `isLive` while typing. */
export function FilterField({ label, value = '', width, onChange, isLive }: Given & { isLive?: boolean }) {
  const take = ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange(currentTarget.value);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      style={{ flex: `1 1 ${width}`, minWidth: 0 }}
      value={value}
      {...(isLive ? { onInput: take } : { onChange: take })}
    />
  );
}
