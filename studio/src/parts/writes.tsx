import type { ComponentChildren } from 'preact';
import { config } from '../state/service.ts';

/** Controls that change something: a read-only studio disables them. */
export function Writes({ children }: { children: ComponentChildren }) {
  const { isReadOnly } = config.value ?? {};
  return (
    <fieldset
      class="writes"
      disabled={isReadOnly}
      title={isReadOnly ? 'The studio is read-only.' : undefined}
    >
      {children}
    </fieldset>
  );
}
