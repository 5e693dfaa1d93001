import * as v from 'valibot';
import { CHANNELS, Channel } from '../channel.ts';
import { isEmailAddress } from '../fields/text.ts';
import { TimeText } from '../fields/time.ts';
import { secret } from './secret.ts';

export const EnvironmentResponse = v.object({
  clientId: v.string(),
  clientSecret: secret(v.string()),
  title: v.string(),
  disableSending: v.array(Channel),
  secureMode: v.boolean(),
  createTypes: v.boolean(),
  onlyTo: v.array(v.string()),
  expiresAt: v.optional(TimeText),
});
export type EnvironmentResponse = v.InferOutput<typeof EnvironmentResponse>;

/** Channels, each once, in the usual order. */
export const ChannelSet = v.pipe(
  v.array(Channel),
  v.maxLength(50),
  v.transform((values) => CHANNELS.filter((channel) => values.includes(channel))),
);

const ONLY_TO_MAX = 100;
const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** Recipients that an environment is limited to, in lower case. */
export const OnlyTo = v.pipe(
  v.array(
    v.pipe(
      v.string(),
      v.trim(),
      v.toLowerCase(),
      v.check(
        (entry) => isEmailAddress(entry) || DOMAIN.test(entry) || /^\+[1-9]\d{6,14}$/.test(entry),
        'must be an email address, a domain such as example.com, or a number such as +14155550123',
      ),
    ),
  ),
  v.maxLength(ONLY_TO_MAX, `must have at most ${ONLY_TO_MAX} entries`),
);
