import * as v from 'valibot';
import { Channel } from '../channel.ts';
import { DATES } from '../fields/dates.ts';
import { filledTextUpTo, Id } from '../fields/text.ts';

const NAME_LENGTH_MAX = 256;

export const Component = v.object({
  envId: v.string(),
  componentId: v.string(),
  name: v.string(),
  internal: v.string(),
  internalPage: v.string(),
  html: v.string(),
  ...DATES,
  createdAt: v.string(),
  modifiedAt: v.string(),
  referencedBy: v.array(v.object({ notificationId: v.string(), channel: Channel, templateId: v.string() })),
  channel: v.literal('EMAIL'),
});
export type Component = v.InferOutput<typeof Component>;

const content = {
  html: v.optional(v.string()),
  internal: v.optional(v.string()),
  internalPage: v.optional(v.string()),
};

/** Body of POST /components. Without an id the component gets one. */
export const NewComponent = v.object({
  componentId: v.optional(Id),
  name: filledTextUpTo(NAME_LENGTH_MAX),
  ...content,
});

/** Body of PATCH /components/{componentId}: absent fields stay unchanged. */
export const ComponentChange = v.object({
  name: v.optional(filledTextUpTo(NAME_LENGTH_MAX)),
  ...content,
});
