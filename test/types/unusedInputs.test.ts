import path from 'node:path';

import { projectOf, unusedInputs } from './unusedInputs';

test('the check of types reports inputs that nothing reads, and no others', () => {
	const file = path.join(__dirname, 'unusedInputs.fixture.ts');
	const { options } = projectOf('tsconfig.json');
	const names = unusedInputs([file], options).map((one) => one.replace(/.*: /, ''));
	expect(names.sort()).toEqual(
		[
			'unused',
			'unusedByName',
			'unusedFields',
			'unusedInside',
			'unusedKey',
			'unusedOfGroup',
			'unusedShown',
		].sort(),
	);
});
