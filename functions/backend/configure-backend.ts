import { isVerifiedSender } from '../../shared/channels/email/sender.ts';
import { backendConnections } from '../../shared/database/entities/accounts/backend-connections.ts';
import { domains } from '../../shared/database/entities/settings/domains.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { isoOf } from '../../shared/runtime/clock.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { backendPlatform } from '../../shared/services/backend-platform/backend-platform.ts';
import { callConnected } from './connected.ts';
import { configureBackendRoute } from './routes.ts';

export const handler = endpoint(
  configureBackendRoute,
  { backendConnections, backendPlatform, domains },
  async ({ backendConnections, backendPlatform, domains, caller, body, request }) => {
    const { accountId } = caller;
    const { projectRef, projectName, senderName, senderEmail } = body;
    const nowMs = request.receivedAtMs;
    if (backendPlatform.checksSender && !isVerifiedSender(senderEmail, await domains.listAll(accountId))) {
      throw new AppError('UNVERIFIED_SENDER', {
        fix: 'Verify the domain of senderEmail with POST /domains first.',
      });
    }
    await callConnected({ backendConnections, backendPlatform, accountId, nowMs }, (accessToken) =>
      backendPlatform.configureSmtp(accessToken, projectRef, { senderName, senderEmail }),
    );
    const project = { projectRef, projectName, senderName, senderEmail, configuredAt: isoOf(nowMs) };
    await backendConnections.setProject(accountId, project);
    return { success: true, message: 'The project sends through this deployment.' };
  },
);
