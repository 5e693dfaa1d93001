import { parameterProblems } from '../../../shared/domain/content/parameters-schema.ts';
import { assertNoProblems } from '../../../shared/http/problems/problems.ts';
import { requestParameters } from '../../../shared/rendering/checks/variables.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';

/** Throws INVALID_REQUEST with the path of each parameter that the schema of the type does not accept. */
export function assertParameters(
  schema: string,
  request: Pick<SendRequest, 'mergeTags' | 'parameters'>,
): void {
  const field = request.mergeTags && !request.parameters ? 'body.mergeTags' : 'body.parameters';
  assertNoProblems(
    parameterProblems(schema, requestParameters(request)).map(({ path, must }) => ({
      where: /^(\[|$)/.test(path) ? `${field}${path}` : `${field}.${path}`,
      must,
    })),
  );
}
