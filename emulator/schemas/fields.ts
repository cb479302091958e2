import { z } from 'zod';

const overflow = z.enum(['auto', 'horizontal', 'vertical', 'crop']);

const common = {
	label: z.string().optional(),
	placeholder: z.string().optional(),
	required: z.boolean().optional(),
	readOnly: z.boolean().optional(),
	fontSize: z.number().min(8).max(96).optional(),
	overflow: overflow.optional(),
};

const autoOverflow = overflow.default('auto');
const textAlign = z.enum(['left', 'center', 'right']).optional();

const layout = {
	textAlign,
	lineHeight: z.coerce.number().min(1).max(10).nullish(),
	letterSpacing: z.coerce.number().min(0).max(100).nullish(),
	verticalAlign: z.enum(['top', 'middle', 'bottom']).nullish(),
};

const choices = {
	values: z.array(z.object({ id: z.number(), checked: z.boolean(), value: z.string() })).optional(),
	direction: z.enum(['vertical', 'horizontal']).default('vertical'),
};

const metas = {
	SIGNATURE: z.object({ ...common, overflow: autoOverflow, type: z.literal('signature') }),
	INITIALS: z.object({ ...common, type: z.literal('initials'), textAlign }),
	NAME: z.object({ ...common, type: z.literal('name'), textAlign }),
	EMAIL: z.object({ ...common, overflow: autoOverflow, type: z.literal('email'), textAlign }),
	DATE: z.object({ ...common, overflow: autoOverflow, type: z.literal('date'), textAlign }),
	TEXT: z.object({
		...common,
		type: z.literal('text'),
		text: z.string().optional(),
		characterLimit: z.coerce
			.number({ invalid_type_error: 'Value must be a number' })
			.min(0)
			.optional(),
		...layout,
	}),
	NUMBER: z.object({
		...common,
		type: z.literal('number'),
		numberFormat: z.string().nullish(),
		value: z.string().optional(),
		minValue: z.coerce.number().nullish(),
		maxValue: z.coerce.number().nullish(),
		...layout,
	}),
	RADIO: z.object({ ...common, type: z.literal('radio'), ...choices }),
	CHECKBOX: z.object({
		...common,
		type: z.literal('checkbox'),
		validationRule: z.string().optional(),
		validationLength: z.number().optional(),
		...choices,
	}),
	DROPDOWN: z.object({
		...common,
		type: z.literal('dropdown'),
		values: z.array(z.object({ value: z.string() })).optional(),
		defaultValue: z.string().optional(),
	}),
};

const written = { fontSize: 12, textAlign: 'left' } as const;
const optional = { required: false, readOnly: false };
const option = { id: 1, checked: false, value: '' };

/** The default `fieldMeta` of each type. */
const defaults: { [Type in keyof typeof metas]: z.output<(typeof metas)[Type]> } = {
	SIGNATURE: { type: 'signature', fontSize: 18, overflow: 'auto' },
	INITIALS: { type: 'initials', ...written },
	NAME: { type: 'name', ...written },
	EMAIL: { type: 'email', ...written, overflow: 'auto' },
	DATE: { type: 'date', ...written, overflow: 'auto' },
	TEXT: { type: 'text', ...written, label: '', placeholder: '', text: '', ...optional },
	NUMBER: { type: 'number', ...written, label: '', placeholder: '', ...optional },
	RADIO: { type: 'radio', fontSize: 12, values: [option], direction: 'vertical', ...optional },
	CHECKBOX: {
		type: 'checkbox',
		fontSize: 12,
		values: [option],
		validationRule: '',
		validationLength: 0,
		direction: 'vertical',
		...optional,
	},
	DROPDOWN: {
		type: 'dropdown',
		fontSize: 12,
		values: [{ value: 'Option 1' }],
		defaultValue: '',
		...optional,
	},
};

export type FieldType = keyof typeof metas | 'FREE_SIGNATURE';
export const FIELD_TYPES = [...Object.keys(metas), 'FREE_SIGNATURE'] as readonly FieldType[];
export type FieldMeta = z.output<(typeof metas)[keyof typeof metas]>;

function typed<Type extends keyof typeof metas>(type: Type) {
	return z.object({
		type: z.literal(type),
		fieldMeta: (metas[type] as z.ZodTypeAny).optional().default(defaults[type]),
	});
}

/** A field's type with its matching meta, as create and `field/create-many` accept it. */
export const fieldAndMeta = z
	.discriminatedUnion('type', [
		typed('SIGNATURE'),
		z.object({ type: z.literal('FREE_SIGNATURE'), fieldMeta: z.undefined() }),
		typed('INITIALS'),
		typed('NAME'),
		typed('EMAIL'),
		typed('DATE'),
		typed('TEXT'),
		typed('NUMBER'),
		typed('RADIO'),
		typed('CHECKBOX'),
		typed('DROPDOWN'),
	])
	.transform((field): { type: FieldType; fieldMeta: FieldMeta | null } => ({
		type: field.type,
		fieldMeta: (field.fieldMeta as FieldMeta | undefined) ?? null,
	}));

/** Of the page. */
const percentage = z.number().min(0).max(100);

export const fieldPosition = z.object({
	page: z.number().min(1),
	positionX: percentage,
	positionY: percentage,
	width: percentage,
	height: percentage,
});

export type Place = z.output<typeof fieldPosition>;

/** Or at a text in the PDF; `matchAll` adds a field at each occurrence. */
const textPosition = z.object({
	placeholder: z.string(),
	width: percentage.optional(),
	height: percentage.optional(),
	matchAll: z.boolean().optional(),
});

const newField = fieldAndMeta.and(
	z.object({ recipientId: z.number(), envelopeItemId: z.string().optional() }),
);

const createField = z.union([newField.and(fieldPosition), newField.and(textPosition)]);

export type CreateField = z.output<typeof createField>;

export const createFields = z.object({ envelopeId: z.string(), data: z.array(createField) });

const fieldUpdate = fieldAndMeta
	.and(z.object({ id: z.number(), envelopeItemId: z.string().optional() }))
	.and(fieldPosition.partial());

export type FieldUpdate = z.output<typeof fieldUpdate>;

export const updateFields = z.object({ envelopeId: z.string(), data: z.array(fieldUpdate) });

export const fieldIdOnly = z.object({ fieldId: z.coerce.number() });
