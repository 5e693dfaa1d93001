import { phoneCaps } from '../../../shared/database/entities/phone-caps.ts';
import { unitsOfText } from '../../../shared/domain/phone-costs.ts';
import { conversingSmsProvider } from '../../../shared/providers/conversing-sms.ts';
import { findOwnNumber } from '../../../shared/providers/own-numbers.ts';
import { previewOf } from '../../../shared/rendering/preview.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { deliveryBase } from './base.ts';
import type { Build } from './built.ts';
import { contentDependencies, loadContent } from './content.ts';
import { deliverer } from './deliver.ts';
import { smsLimits } from './phone-settings.ts';

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
  if (!message && !mediaUrls?.length) {
    return { kind: 'rejected', code: 'MISSING_SMS_MESSAGE', internal: 'the rendered message is empty' };
  }
  const ownNumber = from && (await findOwnNumber(head.accountId, from));
  if (from && !ownNumber) {
    return { kind: 'rejected', code: '21612', internal: 'sms.from is not a number of the account' };
  }
  const limits = smsLimits(context, type);
  // A provider would keep it for the shortest time that it accepts.
  if ((limits.validUntilMs ?? context.nowMs + 1) <= context.nowMs)
    return { kind: 'rejected', code: '30008', internal: 'the text message is no longer valid' };
  return {
    kind: 'ready',
    preview: previewOf('SMS', rendered.content),
    notes: rendered.notes,
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
      ...defined({ from: ownNumber || undefined, autoReply: autoReply ? autoReply.message : undefined }),
    },
  };
};

export const handler = deliverer('SMS', conversingSmsProvider, building, build);
