import { SESv2Client } from '@aws-sdk/client-sesv2';
import { sesClientOptions } from '../../channels/email/ses/ses.ts';
import { createTurns } from '../../runtime/async/turns.ts';
import { findSetting, setting } from '../../runtime/config.ts';
import { defined } from '../../runtime/values/defined.ts';
import type { DnsResolver } from './dns-resolver.ts';
import type { DomainVerifier } from './domain-verifier.ts';
import { createSesVerifier } from './domains-ses.ts';

/** SES accepts one identity call per second. */
const CALL_EVERY_MS = 1000;

/** Verification over this deployment's SES, paced. */
export function createSesVerifierOf(resolver: DnsResolver): DomainVerifier {
  const configurationSetName = findSetting('SES_CONFIGURATION_SET');
  const turn = createTurns(CALL_EVERY_MS);
  return createSesVerifier({
    client: new SESv2Client(sesClientOptions()),
    resolver,
    tags: Object.fromEntries(
      setting('SES_IDENTITY_TAGS')
        .split(',')
        .map((tag) => tag.split('=')),
    ),
    turn: async () => void (await turn()),
    ...defined({ configurationSetName }),
  });
}
