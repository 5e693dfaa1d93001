import type { ComponentChildren } from 'preact';

type Props = {
  /** Headings; one in parentheses is only read aloud. */
  columns?: readonly string[];
  label?: string;
  class?: string;
  children: ComponentChildren;
};

/** A table of these rows. */
export function Table({ columns, label, class: look, children }: Props) {
  return (
    <table class={look} aria-label={label}>
      {columns && (
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name}>
                {name.startsWith('(') ? <span class="hidden">{name.slice(1, -1)}</span> : name}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>{children}</tbody>
    </table>
  );
}
