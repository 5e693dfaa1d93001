import * as v from 'valibot';

export const AdminNotice = v.object({
  kind: v.literal('webhook'),
  accountId: v.string(),
  url: v.string(),
  warning: v.picklist(['gone', 'failing', 'resting', 'given_up']),
});
export type AdminNotice = v.InferOutput<typeof AdminNotice>;
