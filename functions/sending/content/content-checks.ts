import type { Account } from '../../../shared/database/entities/accounts/accounts.ts';
import type { Components } from '../../../shared/database/entities/content/components.ts';
import type { StoredType } from '../../../shared/database/entities/content/notification-types.ts';
import { assertNoProblems } from '../../../shared/http/problems/problems.ts';
import { loadLiquid } from '../../../shared/rendering/load-liquid.ts';
import { hasTags, mayFailToRender } from '../../../shared/rendering/syntax/tags.ts';
import { loadOnce } from '../../../shared/runtime/async/lazily.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { CHANNELS, CONTENT_BLOCK } from '../../../shared/schemas/channel.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import type { Intake } from '../accept/intake.ts';
import type { Evaluation } from '../decide/evaluate.ts';
import type { ContentDependencies, ContentScope } from './trial-rendering.ts';

/** Time that the checks of one request may take. What is not checked in time is checked when it is rendered. */
const CHECK_SECONDS_MAX = 2;

export type ContentCheckDependencies = ContentDependencies & { components: Components };

const loadTrial = /* @__PURE__ */ loadOnce(() => import('./trial-rendering.ts'));

/** Checks the content of a request before it is stored. Its methods throw INVALID_TEMPLATE, of parameters INVALID_REQUEST. */
type ContentCheck = {
  /** Asserts that the parameters match the schema of the type. */
  assertParameters(type: StoredType | undefined): Promise<void>;
  /** Asserts that the components that inline content embeds exist. */
  read(environmentId: string): Promise<void>;
  /** Asserts that what is to be sent can be rendered with the request's parameters. */
  assertRendered(evaluation: Evaluation, scope: Omit<ContentScope, 'zone'>): Promise<void>;
};

/** Opens the checks of one request: all its entries share the time. Liquid is loaded only for content that may fail. */
export function openContentChecks(deps: ContentCheckDependencies): (intake: Intake) => ContentCheck {
  const deadlineMs = performance.now() + CHECK_SECONDS_MAX * 1000;
  return (intake) => {
    let components: Record<string, string> | undefined;
    return {
      async assertParameters(type) {
        if (type?.parametersSchema === undefined) return;
        const { assertParameters } = await import('./parameter-check.ts');
        assertParameters(type.parametersSchema, intake.request);
      },
      async read(environmentId) {
        components = await loadInlineComponents(deps, environmentId, intake.request);
      },
      async assertRendered(evaluation, scope) {
        await assertSender(intake.request, scope.account, evaluation.user?.number);
        if (!isTemplate(intake, evaluation)) return;
        const { assertRendered } = await loadTrial();
        await assertRendered(deps, { intake, evaluation, components }, { ...scope, deadlineMs });
      },
    };
  };
}

function isTemplate({ request, topicId }: Intake, { routing }: Evaluation): boolean {
  const isConditional = request.options?.email?.condition !== undefined;
  const isReplacing = Object.keys(request.replace ?? {}).length > 0;
  return (
    topicId !== undefined ||
    isConditional ||
    isReplacing ||
    CHANNELS.some(
      (channel) =>
        routing[channel].template !== undefined || mayFailToRender(request[CONTENT_BLOCK[channel]]),
    )
  );
}

/**
 * Returns the html, by ID, of the components that the inline html of an email embeds; undefined if it embeds none. Throws
 * INVALID_TEMPLATE if one does not exist.
 */
async function loadInlineComponents(
  { components }: { components: Components },
  environmentId: string,
  { email }: Pick<SendRequest, 'email'>,
): Promise<Record<string, string> | undefined> {
  const html = email?.html;
  if (!html?.includes('{%')) return undefined;
  const liquid = await loadLiquid();
  const ids = liquid.componentIdsOf(html);
  const { assertKnownComponents } = await import('../../templates/known-components.ts');
  return assertKnownComponents(components, environmentId, { ids, field: 'EMAIL html' });
}

async function assertSender({ sms }: SendRequest, account: Account, to: string | undefined): Promise<void> {
  const from = sms?.from;
  if (!from || hasTags(from)) return;
  const { statedSenderProblem } = await import('../../../shared/providers/order/stated-sender.ts');
  const must = statedSenderProblem(account, from, to);
  if (!must) return;
  const fix =
    'Send from one of the phoneNumbers of GET /account, or leave sms.from out: the account’s number for the country is used.';
  const error = new AppError('INVALID_REQUEST', { message: `body.sms.from ${must}.`, fix });
  assertNoProblems([{ where: 'body.sms.from', must, error }]);
}
