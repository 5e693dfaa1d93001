import * as v from 'valibot';
import { CHANNELS, Channel } from './channel.ts';
import { secret } from './secret.ts';

/** An environment as returned. */
export const EnvironmentAnswer = v.object({
  clientId: v.string(),
  clientSecret: secret(v.string()),
  title: v.string(),
  disableSending: v.array(Channel),
  secureMode: v.boolean(),
});
export type EnvironmentAnswer = v.InferOutput<typeof EnvironmentAnswer>;

/** Channels, each once, in the usual order. */
export const ChannelSet = v.pipe(
  v.array(Channel),
  v.maxLength(50),
  v.transform((values) => CHANNELS.filter((channel) => values.includes(channel))),
);
