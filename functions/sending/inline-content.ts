import { mayFailToRender } from '../../shared/rendering/tags.ts';
import { CHANNELS, CONTENT_BLOCK } from '../../shared/schemas/channel.ts';
import type { Evaluation } from './evaluate.ts';
import { loadInlineComponents } from './inline-components.ts';
import type { InlineContentDependencies, InlineScope } from './inline-rendering.ts';
import type { Intake } from './intake.ts';

/** Time that the checks of one request may take. What is not checked in time is checked when it is rendered. */
const CHECK_SECONDS_MAX = 2;

/** Checks the inline content of a request before it is stored. Both methods throw INVALID_TEMPLATE. */
export type InlineCheck = {
  /** Asserts that the embedded components exist. */
  read(environmentId: string): Promise<void>;
  /** Asserts that what is to be sent can be rendered with the request's parameters. */
  assertRendered(evaluation: Evaluation, scope: InlineScope): Promise<void>;
};

/** Opens the checks of one request: all its entries share the time. Liquid is loaded only for content that uses it. */
export function openInlineChecks(deps: InlineContentDependencies): (intake: Intake) => InlineCheck {
  const deadlineMs = performance.now() + CHECK_SECONDS_MAX * 1000;
  return (intake) => {
    let components: Record<string, string> | undefined;
    const { request } = intake;
    return {
      async read(environmentId) {
        components = await loadInlineComponents(deps, environmentId, request);
      },
      async assertRendered(evaluation, scope) {
        if (!isTemplate(intake)) return;
        const { assertRendered } = await import('./inline-rendering.ts');
        await assertRendered(deps, { intake, evaluation, components }, { ...scope, deadlineMs });
      },
    };
  };
}

function isTemplate({ request }: Intake): boolean {
  const isConditional = request.options?.email?.condition !== undefined;
  const isReplacing = Object.keys(request.replace ?? {}).length > 0;
  return (
    isConditional ||
    isReplacing ||
    CHANNELS.some((channel) => mayFailToRender(request[CONTENT_BLOCK[channel]]))
  );
}
