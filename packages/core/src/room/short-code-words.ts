/**
 * The words of short codes, 10 bits each. They stay distinct when spoken and typed: no two begin with the same four
 * letters or differ by fewer than three, and no two sound alike (short-code-words.test.ts). Their order is arbitrary.
 */
export const codeWords: readonly string[] = (
  "abacus abbey academy account acorn acrobat admiral advert advice aerial afternoon agate aircraft alarm " +
  "alcove algebra alligator almond alphabet alpine ambulance anatomy anchor angel annual antenna apartment " +
  "apricot apron aquarium arcade architect arctic armadillo armchair artist ascent asphalt aspirin assembly " +
  "asteroid astronaut athlete atlas atom auction audience aurora autumn avalanche avenue avocado awning " +
  "axis backpack badger bakery ballad bamboo banana bandit banjo barley basement basil basket bathtub bayou " +
  "bazaar beacon beagle beanbag beaver bedrock beehive beverage bicycle billboard binder biology birch " +
  "birthday bistro blimp blouse bluebell bluff bobcat bobsled bodega bodyguard boiler bonfire bonnet bonsai " +
  "booklet boomerang botany bottle bowling bracelet brain branch breakfast breeze bridge broadcast broom " +
  "brother bubble buffet buggy building bulb bulldog bumper bungalow bunting burlap burrow business " +
  "butterfly cabaret cabbage cabin caboose cactus calendar calico calypso camera canary candle canyon " +
  "capsule captain carafe cardigan caribou carnival carpet cartwheel cashew casserole catapult catfish " +
  "cathedral cauldron celery cello cement census centaur ceramic chalet champion channel charcoal chemist " +
  "cherry chestnut chicken chipmunk chisel chocolate chorus chrome cicada cinema cinnamon circle clarity " +
  "classic climate clinic clover cobalt cobweb cockpit coconut coffee collar colony column comedy compass " +
  "concert condor confetti continent cookie copper cormorant cosmic cotton cousin cowboy coyote cranberry " +
  "crater crimson crisp crocodile croissant croquet crown crumb crystal cucumber cupboard cupcake custard " +
  "cyclone cylinder dachshund daffodil dahlia dairy damson dandelion daring database dazzle debate decanter " +
  "decimal degree delta dentist desert design detail detective dewdrop diagram dialog diamond digit dime " +
  "dinosaur diploma disco distance dockyard doctor dolphin domino donkey doorbell dormer double dragon " +
  "drama dredger drift driver duchess duckling dugout dungeon duplex dustpan duvet dynamo ebony eclair " +
  "eclipse editor eggplant eiderdown elbow electron elephant elevator elite elixir embassy emblem emperor " +
  "empire emu enamel endive energy engraver enigma entrance envelope enzyme episode epoch equator equinox " +
  "ermine errand escalator essay estate etching evening evergreen exam exhibit expert explorer express " +
  "fabric factory faculty fairway falafel falcon family fanfare fantasy father faucet fennel ferret " +
  "festival fiddle fifty figure film filter firefly fisherman flagpole flamingo flask fleece flicker flint " +
  "flora flotilla foghorn foliage fondue football forest formula fortune forum fossil foundry foxglove " +
  "fragment freckle freedom fresco frog fuchsia fudge fulcrum fullback fungus funny furnace galaxy gambit " +
  "garden garlic garrison gasoline gauge gazebo gecko gemstone gentle geography geometry geranium gerbil " +
  "geyser giant giggle gingham giraffe glacier glaze glider gnome goblin goldfish golf gourmet grammar " +
  "granite gravel grenadine griffin grill grocer grotto guinea guitar gumbo gumdrop gymnast gyro habitat " +
  "hairbrush halibut hammer handbag hangar happy harmony harvest hatch hawk haystack hazel headline hearth " +
  "hedgehog helium helmet hemlock herald herb herring hexagon hibiscus hickory highway hillside hinge " +
  "holiday hollow hood hopscotch horizon horoscope hospital hostel humus hundred hunter hurdle hurricane " +
  "husky hyacinth hydrant hyena icebox icing idea igloo iguana illusion image import impulse incense " +
  "incline indigo infant ingot inkjet inkwell insect insight inspector invite iodine island isotope italic " +
  "ivory jackpot jaguar jalapeno jamboree jargon jasmine javelin jazz jersey jester jetty jewel jigger " +
  "jigsaw journal jubilee jukebox jungle junior jupiter kaftan kangaroo keepsake kelp kestrel ketchup " +
  "keynote kimono kingdom kinship kiosk kitchen kiwi knapsack knee koala kumquat ladybug lagoon lambda " +
  "lantern lanyard laptop larkspur laser latitude lattice launch laurel lava lavender lecture legacy legend " +
  "lemon lens lentil leopard library lifeboat lilac lilypad limerick linen lipstick liquid litmus lizard " +
  "lobby lobster locust logic lollipop longbow lounge luggage lullaby luminous lunar luxury macaw machine " +
  "maestro magazine magenta magma magnet magpie mailbox major mammoth mandarin mansion maracas marble " +
  "marigold marsh marzipan mascot mattress maximum meadow measure median melody member mentor mercury " +
  "meringue mermaid message method midnight migrate mimosa mineral minute mirror mixer mobile model mohair " +
  "molasses monarch monocle monument moose mortar mountain muffin mulberry mulch mural museum mushroom " +
  "muskrat mustang napkin narrator narwhal native nautical nebula nectar needle nephew neptune network " +
  "neutral nickel nimbus nocturne nomad nonsense north notebook nougat nucleus nugget nurse nutmeg nylon " +
  "nymph oatcake oatmeal obelisk object observer obsidian occasion ocean ocelot octagon octopus odyssey " +
  "office okapi oleander olympic omnibus onion onyx opera opossum optic oracle orchard origin ornament " +
  "osprey ostrich otter outback outfit outpost oval overcoat oxide oxygen pacific padlock pagoda pajamas " +
  "palisade pamphlet panorama papaya paprika papyrus parcel parent parlour parquet parsnip partner passport " +
  "patrol pavilion peach pelican penguin perfume pergola period permit pheasant photo phrase physics " +
  "pianist picnic pigeon pigment pilgrim pinball pinwheel pioneer pizza planet plasma platform plumber " +
  "podium poet polka pollen pomelo pompom poncho popcorn popsicle portico postcard potato poultry powder " +
  "prairie precinct premium present pretzel primrose profile program protein proverb pudding pulpit puma " +
  "pumpkin punctual quadrant quantum quartz quest quince quotient raccoon radish raffle rainbow raisin " +
  "random rapid ratchet reactor realm recess recipe record redwood reef referee reflex refuge reggae region " +
  "reindeer relay repair reptile republic rescue result rhapsody rhombus rhubarb rhythm ribbon rickshaw " +
  "rigatoni ringlet ripple rocket rococo rosemary roulette round ruby rucksack rudder runway russet rustic " +
  "safari saffron salute sampan sandal sapphire sardine saturn sausage sawdust scaffold scallop scarf " +
  "schedule school science scooter scorpion screen script sculptor seafood seaweed seminar sequoia serenade " +
  "serpent service sesame session settler seven shampoo sheep shelter sheriff shipyard shirt shovel shrimp " +
  "shrub shuttle sidewalk sierra signal skeleton sketch skillet skunk skylark slalom slipper slogan slope " +
  "smile smoothie snack snorkel snowdrop soccer social socks sofa software solstice sombrero sonata soprano " +
  "sorbet soybean spade spaniel spatula spectrum spinach spiral splendid sponge spruce spyglass square " +
  "squirrel stable stadium stairs stamp starfish station stencil stereo stingray stirrup stocking stork " +
  "stratus stream stucco student suitcase sunrise surfer sushi sycamore symphony synonym syntax system " +
  "tackle taco tadpole tailor talcum tamarind tapestry tapioca tattoo tavern teacup tempo tendril tennis " +
  "terrace thermos thimble thousand thread tinsel tissue titan toast toboggan topaz topiary tornado " +
  "tortoise totem toucan traffic transit trapeze trawler treetop trellis triangle trident trifle trinket " +
  "trolley trombone trophy trumpet tugboat tundra turban turkey turmeric turnip tutor tuxedo tweezer twelve " +
  "twine type typhoon ukulele umbrella undertow unicorn unity universe upbeat update uptown urchin useful " +
  "usher utopia vacation vacuum valve vehicle veranda verdict vertex veteran viaduct view villa vinegar " +
  "vintage violet vision vitamin voice voyage waiter wallet walrus waltz wardrobe wasabi wax weasel weekend " +
  "welcome whimsy whisker widget width wildcat window wingspan wisteria witness wombat woodland workshop " +
  "wrangler wreath yacht yarn yeoman yogurt yoyo yucca zebra zeppelin zigzag zinnia zucchini"
).split(" ");

const wordSet: ReadonlySet<string> = new Set(codeWords);

const wordCount = 3;
/** This many letters identify each word. */
const prefixLength = 4;
const completionsMax = 8;
const separators = /[\s,.·_-]+/;

/** The words of a code: the first names its mailbox, the others are secret. */
export type CodeWords = readonly [mailbox: string, second: string, third: string];

/**
 * Parses a typed or dictated code: three words in any case, separated by spaces, hyphens, commas or dots. A word may be
 * shortened to its first four letters or more, and may have one wrong, missing or additional letter.
 * @returns the unknown word if the other two are exact; null for any other text, which is more likely a room ID
 */
export function readCodeWords(text: string): CodeWords | { readonly unknown: string } | null {
  const typed = partsOf(text).filter((part) => part !== "");
  if (typed.length !== wordCount) return null;
  const [mailbox, second, third] = typed.map(wordMeant);
  if (mailbox && second && third) return [mailbox, second, third];
  const [inexact, ...more] = typed.filter((part) => !wordSet.has(part));
  return inexact === undefined || more.length > 0 ? null : { unknown: inexact };
}

/** Completions of a partly typed code by one word; none if it is not the beginning of a code. */
export function completionsOf(text: string): readonly string[] {
  const parts = partsOf(text);
  const last = parts.pop() ?? "";
  if (parts.length >= wordCount || last.length < 2 || !parts.every((part) => wordSet.has(part))) return [];
  const before = text.slice(0, text.length - last.length);
  const words = codeWords.filter((word) => word.startsWith(last) && word !== last);
  return words.slice(0, completionsMax).map((word) => before + word);
}

function partsOf(text: string): string[] {
  return text.normalize("NFKC").trimStart().toLowerCase().split(separators);
}

/** The word that matches; undefined if none or more than one does. */
function wordMeant(typed: string): string | undefined {
  if (wordSet.has(typed)) return typed;
  const isStarted = typed.length >= prefixLength;
  const [meant, ...others] = codeWords.filter(
    (word) => (isStarted && word.startsWith(typed)) || isWithinOneLetter(word, typed),
  );
  return others.length === 0 ? meant : undefined;
}

/** Whether two texts differ by at most one letter: replaced, missing or additional. */
function isWithinOneLetter(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const skip = (text: string, isLonger: boolean) => text.slice(isLonger ? start + 1 : start);
  return skip(one, one.length >= other.length) === skip(other, other.length >= one.length);
}
