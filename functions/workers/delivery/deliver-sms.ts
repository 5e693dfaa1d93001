import { findOversize } from '../../../shared/channels/message-size.ts';
import { phoneCaps } from '../../../shared/database/entities/usage/phone-caps.ts';
import { unitsOfText } from '../../../shared/domain/costs/phone-costs.ts';
import { conversingSmsProvider } from '../../../shared/providers/phone/conversing-sms.ts';
import { findSender } from '../../../shared/providers/phone/own-numbers.ts';
import { loggedOf } from '../../../shared/rendering/preview.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { deliveryBase } from './base.ts';
import type { Build } from './content/built.ts';
import { contentDependencies, loadContent } from './content/content.ts';
import { smsLimits } from './content/phone-settings.ts';
import { deliverer } from './deliver.ts';

const building = { ...contentDependencies, phoneCaps };

const build: Build<'SMS', Resolved<typeof building>> = async (deps, context) => {
  const { head, user } = context;
  const { number } = user;
  if (!number) {
    return { kind: 'rejected', code: 'MISSING_SMS_RECIPIENT', internal: 'the user has no phone number' };
  }
  const { rendered, type } = await loadContent(deps, 'SMS', context);
  if (!rendered.ok) return { kind: 'rejected', code: 'Unknown', internal: rendered.problem };
  const { message, mediaUrls, from, autoReply } = rendered.content;
  if (!message.trim() && !mediaUrls?.length) {
    return { kind: 'rejected', code: 'MISSING_SMS_MESSAGE', internal: 'the rendered message is empty' };
  }
  const longReply = autoReply && findOversize('SMS', autoReply);
  const sender = await findSender(head.accountId, number, from);
  if (sender.problem) return { kind: 'rejected', code: '21612', internal: sender.problem };
  const limits = smsLimits(context, type);
  // A provider would keep it for the shortest time that it accepts.
  if ((limits.validUntilMs ?? context.nowMs + 1) <= context.nowMs)
    return { kind: 'rejected', code: '30008', internal: 'the text message is no longer valid' };
  return {
    kind: 'ready',
    ...loggedOf('SMS', rendered),
    notes: [...rendered.notes, ...(longReply ? [`autoReply is omitted: ${longReply}`] : [])],
    take: (account, nowMs) => {
      const units = unitsOfText(message, mediaUrls?.length ?? 0);
      return deps.phoneCaps.take(account, { channel: 'SMS', to: number, units, nowMs });
    },
    delivery: {
      ...deliveryBase(context),
      ...limits,
      to: number,
      message,
      mediaUrls: mediaUrls ?? [],
      ...defined({ from: sender.number, autoReply: longReply ? undefined : autoReply?.message }),
    },
  };
};

export const handler = deliverer('SMS', conversingSmsProvider, building, build);
