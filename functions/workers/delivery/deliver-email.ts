import { plainTextOf, withPreviewText } from '../../../shared/channels/email/plain-text.ts';
import { findSender } from '../../../shared/channels/email/sender.ts';
import { suppressions } from '../../../shared/database/entities/suppressions.ts';
import { users } from '../../../shared/database/entities/users.ts';
import type { Profile } from '../../../shared/domain/profile.ts';
import { answerableEmail } from '../../../shared/providers/answerable-email.ts';
import { evaluateCondition } from '../../../shared/rendering/condition.ts';
import { previewOf } from '../../../shared/rendering/preview.ts';
import { requestParameters, visibleUser } from '../../../shared/rendering/variables.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { deliveryBase } from './base.ts';
import { renderFor, templateOf, unsubscribeUrlOf } from './content.ts';
import { type Build, type BuildContext, type Built, deliverer } from './deliver.ts';
import { emailSender } from './email-sender.ts';

const build: Build<'EMAIL'> = async (context) => {
  const { head, user } = context;
  const { request } = head;
  const options = request.options?.email;
  if (!user.email) {
    return { kind: 'rejected', code: 'MISSING_EMAIL_RECIPIENT', internal: 'the user has no e-mail address' };
  }
  const suppression = await findSuppression(head, { ...user, email: user.email });
  if (suppression) return suppression;
  if (options?.condition !== undefined) {
    const condition = evaluateCondition(options.condition, {
      ...requestParameters(head.request),
      user: visibleUser(user),
    });
    if (!condition.ok || !condition.value) {
      const because = condition.ok ? 'is not met' : `could not be evaluated: ${condition.problem}`;
      return {
        kind: 'withheld',
        fields: { email_routing: 'IGNORE', email_failed_internal: `options.email.condition ${because}` },
      };
    }
  }
  const template = await templateOf(head, 'EMAIL');
  const rendered = await renderFor('EMAIL', { head, user }, template);
  // The address is not at fault, so no code of a bounce fits.
  if (!rendered.ok) return { kind: 'rejected', code: 'MISSING_EMAIL_HTML', internal: rendered.problem };
  const { content } = rendered;
  if (!content.html)
    return { kind: 'rejected', code: 'MISSING_EMAIL_HTML', internal: 'the rendered html is empty' };
  if (!content.subject) {
    return { kind: 'rejected', code: 'MISSING_EMAIL_SUBJECT', internal: 'the rendered subject is empty' };
  }
  const sender = await emailSender(head, findSender, { options, content, template });
  if (sender.kind === 'rejected') return sender;
  const unsubscribeUrl = await unsubscribeUrlOf(head, 'EMAIL');
  const html = content.previewText ? withPreviewText(content.html, content.previewText) : content.html;
  return {
    kind: 'ready',
    preview: previewOf('EMAIL', content),
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
      ...(head.digest ? { isDigest: true } : {}),
      headers: unsubscribeUrl
        ? [
            { name: 'List-Unsubscribe', value: `<${unsubscribeUrl}>` },
            { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
          ]
        : [],
      ...(sender.dkim ? { dkim: sender.dkim } : {}),
    },
  };
};

/** The address decides, whoever had it when it was suppressed. The user gets a copy, so that the next send knows at once. */
async function findSuppression(
  head: BuildContext['head'],
  { email, emailSuppressionStatus }: Profile & { email: string },
): Promise<Built<'EMAIL'> | undefined> {
  const status = await resolve(suppressions).find(head.accountId, email);
  if (!status) return undefined;
  if (!emailSuppressionStatus) {
    await resolve(users).edit(head, head.userId, resolve(clock).now(), (profile) =>
      profile.email === email ? { ...profile, emailSuppressionStatus: status } : undefined,
    );
  }
  const code = status.reason === 'Complaint' ? 'SUPPRESSED_COMPLAINT' : 'SUPPRESSED_BOUNCE';
  return { kind: 'rejected', code, internal: 'the address is suppressed in this account' };
}

export const handler = deliverer('EMAIL', answerableEmail, build);
