import {
  chatScenario,
  emailScenario,
  inappScenario,
  phoneScenario,
  pushScenario,
  REFUSALS,
  SANDBOX_DOMAIN,
  type Scenario,
  webPushScenario,
} from '../../../shared/channels/sandbox/scenarios.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import { FAILURE_CODES } from '../../../shared/schemas/logs/failure-codes.ts';

/** A recipient that the sandbox treats differently, and how. */
export type SandboxFailure = {
  channel: Channel;
  /** Address, number, token, endpoint, chat channel or user ID. */
  recipient: string;
  outcome: 'delivered' | 'rejected' | 'failed later' | 'retried' | 'no receipt';
  code?: string;
};

const EXTRA = ['provider-error', 'rate-limited', 'timeout', 'no-receipt'];
const slugsOf = (channel: Channel) =>
  FAILURE_CODES[channel].map((code) => code.toLowerCase().replaceAll('_', '-'));
const digitsOf = () => FAILURE_CODES.SMS.flatMap((code) => (/^\d{5}$/.test(code) ? [code.slice(1)] : []));
const phones = (more: readonly string[]) => [...digitsOf(), ...more].map((digits) => `+1500555${digits}`);

/** Every recipient that the sandbox documents, by channel, with a call of its scenario. */
const CANDIDATES: {
  [C in Channel]: { recipients: string[]; scenarioOf: (recipient: string) => Scenario<C> };
} = {
  EMAIL: {
    recipients: ['opened', 'clicked', 'ooto', ...slugsOf('EMAIL'), ...EXTRA, ...REFUSALS].map(
      (name) => `${name}@${SANDBOX_DOMAIN}`,
    ),
    scenarioOf: (address) => emailScenario(address),
  },
  INAPP_WEB: {
    recipients: [...slugsOf('INAPP_WEB'), ...EXTRA].map((name) => `sandbox-${name}`),
    scenarioOf: inappScenario,
  },
  SMS: {
    recipients: phones(['0429', '0504', '0500', '0202', '0503', '0401']),
    scenarioOf: (number) => phoneScenario('SMS', number),
  },
  CALL: {
    recipients: phones(['0486', '0480', '0487', '0429', '0504', '0500', '0202', '0503', '0401']),
    scenarioOf: (number) => phoneScenario('CALL', number),
  },
  PUSH: {
    recipients: ['invalid', 'expired', 'no-config', ...EXTRA].map((name) => `sandbox-${name}`),
    scenarioOf: (token) => pushScenario(token, 'FCM'),
  },
  WEB_PUSH: {
    recipients: ['expired', ...EXTRA].map((name) => `https://push.example.com/sandbox-${name}`),
    scenarioOf: webPushScenario,
  },
  CHAT: {
    recipients: [...slugsOf('CHAT'), ...EXTRA].map((name) => `#sandbox-${name}`),
    scenarioOf: chatScenario,
  },
};

export function listFailures(): SandboxFailure[] {
  return Object.entries(CANDIDATES).flatMap(([channel, { recipients, scenarioOf }]) =>
    recipients.flatMap((recipient) => {
      const outcome = outcomeOf(scenarioOf(recipient));
      const isNamed = /opened|clicked|04(?:86|80|87)$/.test(recipient);
      if (outcome.outcome === 'delivered' && !isNamed) return [];
      return [{ channel: channel as Channel, recipient, ...outcome }];
    }),
  );
}

function outcomeOf(scenario: Scenario): Pick<SandboxFailure, 'outcome' | 'code'> {
  switch (scenario.kind) {
    case 'reject':
      return { outcome: 'rejected', code: scenario.code };
    case 'fail-later':
      return { outcome: 'failed later', code: scenario.code };
    case 'refuse':
    case 'flaky':
      return { outcome: 'retried' };
    case 'deliver': {
      const ending = scenario.receipts.map(({ fields }) => fields.call_delivered_code).find(Boolean);
      if (ending && ending !== 'COMPLETED') return { outcome: 'delivered', code: ending };
      return { outcome: scenario.receipts.length === 0 && !scenario.isPushed ? 'no receipt' : 'delivered' };
    }
  }
}
