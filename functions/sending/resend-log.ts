import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { acceptDependencies } from './accept/accept-dependencies.ts';
import { resendLogRoute } from './routes.ts';
import { failedChannels, resend } from './waiting/resend.ts';

export const handler = endpoint(
  resendLogRoute,
  acceptDependencies,
  async ({ caller, path, body, query: _, request: facts, ...deps }) => {
    const log = await deps.logs.find(path.trackingId, facts.receivedAtMs);
    const isTheirs = log?.head.accountId === caller.accountId;
    const isBound = caller.boundToEnvironment && log?.head.environmentId !== caller.environmentId;
    if (!log || !isTheirs || isBound) {
      throw new AppError('RESOURCE_NOT_FOUND', {
        message: 'There is no delivery log with this tracking ID.',
        fix: 'GET /logs lists the notifications.',
      });
    }
    const channels = failedChannels(log, body);
    if (channels.length === 0) {
      throw new AppError('INVALID_REQUEST', {
        message: `The notification has no failed ${body.channel ?? 'channel'} that can be sent again.`,
        path: 'channel',
        fix: 'What was sent, bounced, belongs to a digest or is sensitive is not sent again: GET /logs/{trackingIds} shows the outcome of each channel.',
      });
    }
    const resent = await resend(deps, log, channels, { caller, facts });
    return { resent: resent.map(({ isNew: _, ...each }) => each) };
  },
);
