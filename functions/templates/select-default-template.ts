import * as v from 'valibot';
import { templateChanges } from '../../shared/database/entities/content/template-changes.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { fieldsOf, type RequestParts } from '../../shared/http/problems/check.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { Channel } from '../../shared/schemas/channel.ts';
import { modesOf } from '../../shared/schemas/content/template.ts';
import { selectDefaultTemplateRoute } from './routes.ts';
import { channelProblems, savedEntry, scopeOf, templateResponse } from './scope.ts';

export const handler = endpoint(
  selectDefaultTemplateRoute,
  { templateChanges },
  async ({ templateChanges, caller, path, body }) => {
    const scope = scopeOf(caller, path);
    const outcome = await templateChanges.selectDefault(scope, body.templateId, body.modes);
    return templateResponse(scope, savedEntry(outcome));
  },
  (parts) => [...channelProblems(parts), ...modeProblems(parts)],
);

function modeProblems({ path, body }: RequestParts): Problem[] {
  const { modes } = fieldsOf(body);
  const channel = v.safeParse(Channel, path.channel);
  if (!channel.success || !Array.isArray(modes)) return [];
  const known = modesOf(channel.output);
  if (modes.every((mode) => known.some((each) => each === mode))) return [];
  return [{ where: 'body.modes', must: `must be modes of ${channel.output}: ${known.join(', ')}` }];
}
