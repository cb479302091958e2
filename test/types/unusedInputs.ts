/**
 * Part of `npm run typecheck`: reports inputs that no code reads, as TypeScript reports unused variables. A value keeps
 * the declaration of its input through mapped types, spreads and rest parameters, so each read tells which input it is
 * of.
 */
import path from 'node:path';
import ts from 'typescript';

/** The inputs declared in these files that nothing reads, as `file(line,column): name`. */
export function unusedInputs(fileNames: string[], options: ts.CompilerOptions): string[] {
	const program = ts.createProgram(fileNames, options);
	const checker = program.getTypeChecker();
	const declared = new Map<ts.Declaration, unknown>();
	const read = new Set<unknown>();

	const isInput = (type: ts.Type) => {
		// TypeScript throws for the type arguments of a type that takes none.
		if (type.getSymbol()?.name !== 'Input') return false;
		const [value] = checker.getTypeArguments(type as ts.TypeReference);
		// That of a notice is unknown: it is only for the eyes.
		return value && !(value.flags & ts.TypeFlags.Unknown);
	};
	const markRead = (property?: ts.Symbol) => {
		property?.declarations?.forEach((one) => read.add(inputOf(one)));
	};
	/** What takes a value reads those properties that it names itself. If it names none, it reads all of them. */
	const handOver = (given: ts.Type, taken: ts.Type | undefined, depth = 4): void => {
		const [item, takenItem] = [given, taken].map((type) => type?.getNumberIndexType());
		if (depth === 0 || isInput(given)) return;
		if (item) {
			handOver(item, takenItem, depth - 1);
			return;
		}
		const namesNone = !taken || checker.getPropertiesOfType(taken).length === 0;
		for (const property of checker.getPropertiesOfType(given)) {
			const target = taken?.getProperty(property.name);
			const type = nonNullable(property);
			if (!target && !namesNone) continue;
			if (isInput(type)) continue;
			for (const one of property.declarations ?? []) {
				if (!target?.declarations?.includes(one)) read.add(inputOf(one));
			}
			const own = target && nonNullable(target);
			if (type.getCallSignatures().length > 0) handOverParameter(own, type, depth - 1);
			else handOver(type, own, depth - 1);
		}
	};
	/** A function gets values from what takes the function. */
	const handOverParameter = (caller: ts.Type | undefined, called: ts.Type, depth: number) => {
		const [values, own] = [caller, called].map((type) => {
			const symbol = type?.getCallSignatures()[0]?.getParameters()[0];
			return symbol && nonNullable(symbol);
		});
		if (values && own) handOver(values, own, depth);
	};
	const nonNullable = (symbol: ts.Symbol) => checker.getTypeOfSymbol(symbol).getNonNullableType();

	const visit = (node: ts.Node): void => {
		ts.forEachChild(node, visit);
		if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
			if (isInput(checker.getTypeAtLocation(node.name))) declared.set(node, inputOf(node));
		} else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
			const name = node.propertyName ?? node.name;
			if (!node.dotDotDotToken && ts.isIdentifier(name)) {
				markRead(checker.getTypeAtLocation(node.parent).getProperty(name.text));
			}
		} else if (ts.isPropertyAccessExpression(node)) {
			markRead(checker.getSymbolAtLocation(node.name));
		} else if (ts.isSpreadAssignment(node)) {
			const whole = checker.getContextualType(node.parent);
			handOver(checker.getTypeAtLocation(node.expression), whole);
		}
		if (ts.isStringLiteral(node) && isByName(node)) read.add(inputOf(node));
		if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) {
			const taken = checker.getContextualType(node);
			if (taken) handOver(checker.getTypeAtLocation(node), taken);
		}
	};
	for (const file of program.getSourceFiles()) {
		if (!program.isSourceFileFromExternalLibrary(file) && !file.isDeclarationFile) visit(file);
	}
	return [...declared]
		.filter(([node, one]) => !read.has(one) && fileNames.includes(node.getSourceFile().fileName))
		.map(([node]) => placeOf(node));
}

/** Within a file, what has a name is the same input, in however many groups it is. */
const inputOf = (node: ts.Declaration | ts.StringLiteral) => {
	const name = ts.isStringLiteral(node) ? node : ts.getNameOfDeclaration(node);
	return `${node.getSourceFile().fileName} ${name?.getText().replace(/'/g, '')}`;
};

/** As in `shownFor('mode', …)`. */
const isByName = ({ parent }: ts.StringLiteral) =>
	ts.isCallExpression(parent) || ts.isBinaryExpression(parent);

function placeOf(declaration: ts.Declaration): string {
	const file = declaration.getSourceFile();
	const { line, character } = file.getLineAndCharacterOfPosition(declaration.getStart());
	const name = ts.getNameOfDeclaration(declaration)?.getText();
	return `${path.relative('', file.fileName)}(${line + 1},${character + 1}): ${name}`;
}

/** The files and options of a tsconfig. */
export function projectOf(configFile: string): ts.ParsedCommandLine {
	const { config } = ts.readConfigFile(configFile, ts.sys.readFile) as { config: unknown };
	return ts.parseJsonConfigFileContent(config, ts.sys, path.resolve(path.dirname(configFile)));
}

if (require.main === module) {
	const { fileNames, options } = projectOf('tsconfig.json');
	const unused = unusedInputs(fileNames, options);
	for (const one of unused) console.error(`error: an input is declared but never read: ${one}`);
	process.exitCode = unused.length > 0 ? 1 : 0;
}
