import { App, type Stack, Validations } from 'aws-cdk-lib';
import { defined } from '../../shared/runtime/values/defined.ts';
import { NotificationService } from './notification-service.ts';
import { securityReview } from './permissions/security-review.ts';
import type { Platform } from './platform.ts';
import type { ServiceCode } from './service-stacks.ts';

export type AppOptions = ServiceCode & {
  /** Context with lower precedence than the CDK's command line. */
  context?: Readonly<Record<string, unknown>>;
  outputFolder?: string;
  /** False omits the security review, for tests that synthesize many deployments. */
  isReviewed?: boolean;
};

/** The five stacks, not yet synthesized; `synth()` fails when the security review finds something. */
export function buildApp(options: AppOptions): { app: App; stacks: readonly Stack[]; platform: Platform } {
  const { outputFolder, context } = options;
  const app = new App({
    context: { ...context },
    analyticsReporting: false,
    ...defined({ outdir: outputFolder }),
  });
  // The CDK leaves the ID `Default` out of every name and logical ID.
  const service = new NotificationService(app, 'Default', app.node.getAllContext(), options);
  if (options.isReviewed ?? true) Validations.of(app).addPlugins(securityReview());
  return { app, ...service._stacks };
}
