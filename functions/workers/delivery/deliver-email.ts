import { plainTextOf, withPreviewText } from '../../../shared/channels/email/plain-text.ts';
import { addresses } from '../../../shared/database/entities/addresses.ts';
import { domains } from '../../../shared/database/entities/domains.ts';
import { suppressions } from '../../../shared/database/entities/suppressions.ts';
import { users } from '../../../shared/database/entities/users.ts';
import type { Profile } from '../../../shared/domain/profile.ts';
import { answerableEmail } from '../../../shared/providers/answerable-email.ts';
import { evaluateCondition } from '../../../shared/rendering/condition.ts';
import { previewOf } from '../../../shared/rendering/preview.ts';
import { requestParameters, visibleUser } from '../../../shared/rendering/variables.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { deliveryBase } from './base.ts';
import { contentDependencies, loadContent } from './content.ts';
import { type Build, type BuildContext, type Built, deliverer } from './deliver.ts';
import { findEmailSender } from './email-sender.ts';

const dependencies = { ...contentDependencies, addresses, domains, suppressions, users };

type Deps = Resolved<typeof dependencies>;

const build: Build<'EMAIL', Deps> = async (deps, context) => {
  const { head, user } = context;
  const { request } = head;
  const options = request.options?.email;
  if (!user.email) {
    return { kind: 'rejected', code: 'MISSING_EMAIL_RECIPIENT', internal: 'the user has no email address' };
  }
  const suppression = await findSuppression(deps, context, { ...user, email: user.email });
  if (suppression) return suppression;
  if (options?.condition !== undefined) {
    const account = await deps.accounts.findRecent(head.accountId);
    const variables = { ...requestParameters(request), user: visibleUser(user, account) };
    const condition = evaluateCondition(options.condition, variables, context.nowMs);
    if (!condition.ok || !condition.value) {
      const because = condition.ok ? 'is not met' : `could not be evaluated: ${condition.problem}`;
      return {
        kind: 'withheld',
        fields: { email_routing: 'IGNORE', email_failed_internal: `options.email.condition ${because}` },
      };
    }
  }
  const { rendered, template, unsubscribeUrl } = await loadContent(deps, 'EMAIL', context);
  // The address is not at fault, so no bounce code applies.
  if (!rendered.ok) return { kind: 'rejected', code: 'MISSING_EMAIL_HTML', internal: rendered.problem };
  const { content } = rendered;
  if (!content.html)
    return { kind: 'rejected', code: 'MISSING_EMAIL_HTML', internal: 'the rendered html is empty' };
  if (!content.subject) {
    return { kind: 'rejected', code: 'MISSING_EMAIL_SUBJECT', internal: 'the rendered subject is empty' };
  }
  const sender = await findEmailSender(deps, head, { options, content, template });
  if (sender.kind === 'rejected') return sender;
  const html = content.previewText ? withPreviewText(content.html, content.previewText) : content.html;
  return {
    kind: 'ready',
    preview: previewOf('EMAIL', content),
    notes: rendered.notes,
    delivery: {
      ...deliveryBase(context),
      expiresAtSeconds: head.expiresAtSeconds,
      to: user.email,
      from: sender.from,
      subject: content.subject,
      html,
      text: plainTextOf(content.html),
      replyToAddresses: options?.replyToAddresses ?? [],
      ccAddresses: options?.ccAddresses ?? [],
      bccAddresses: options?.bccAddresses ?? [],
      attachments: options?.attachments ?? [],
      ...defined({ isDigest: head.digest ? true : undefined }),
      headers: unsubscribeUrl
        ? [
            { name: 'List-Unsubscribe', value: `<${unsubscribeUrl}>` },
            { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
          ]
        : [],
      ...defined({ dkim: sender.dkim }),
    },
  };
};

/**
 * The address decides, whichever user had it when it was suppressed. The mark is copied to the user, so that
 * the next send knows it without a read.
 */
async function findSuppression(
  deps: Deps,
  { head, nowMs }: BuildContext,
  { email, emailSuppressionStatus }: Profile & { email: string },
): Promise<Built<'EMAIL'> | undefined> {
  const record = await deps.suppressions.find(head.accountId, email);
  const status = record ?? emailSuppressionStatus;
  if (!status) return undefined;
  if (!record) await deps.suppressions.adopt(head.accountId, email, status);
  if (!emailSuppressionStatus) {
    await deps.users.edit(head, head.userId, nowMs, (profile) =>
      profile.email === email ? { ...profile, emailSuppressionStatus: status } : undefined,
    );
  }
  const code = status.reason === 'Complaint' ? 'SUPPRESSED_COMPLAINT' : 'SUPPRESSED_BOUNCE';
  return { kind: 'rejected', code, internal: 'the address is suppressed in this account' };
}

export const handler = deliverer('EMAIL', answerableEmail, dependencies, build);
