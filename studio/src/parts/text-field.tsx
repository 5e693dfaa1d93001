type Props = {
  label: string;
  value: string;
  set: (value: string) => void;
  placeholder?: string | undefined;
  /** The field of the request: what the service says about it stands here. */
  name?: string | undefined;
  isNumber?: boolean;
  isRequired?: boolean;
  class?: string;
};

export function TextField({ label, value, set, placeholder = '', name, ...props }: Props) {
  return (
    <label>
      {label}
      <input
        dir="auto"
        lang=""
        {...(props.isNumber ? { type: 'number', min: '0' } : {})}
        class={props.class}
        value={value}
        placeholder={placeholder}
        data-field={name}
        required={props.isRequired}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}
