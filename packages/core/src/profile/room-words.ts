/**
 * The words of new rooms' names: easy to say and to spell, and no code words nor like one, so that a typed name is not taken for
 * a code (new-room-id.test.ts). Nouns and adjectives of at most eight letters from friendly-words 1.3.1
 * (github.com/glitchdotcom/friendly-words), without those of violence, death, illness and insult, with its licence:
 *
 * MIT License. Copyright (c) 2018 Glitch
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
 * files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
 * modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software
 * is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES
 * OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE
 * LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR
 * IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
export const roomWords: readonly string[] = (
  "aardvark aardwolf aback abalone abiding ablaze able aboard absorbed abstract abundant acai acapella accurate " +
  "achieved acidic acoustic acrylic act activity actress actually acute adapter adaptive addition address adhesive " +
  "admitted adorable aeolian age aged agenda ahead air airboat airbus airedale airmail airplane airport airship " +
  "ajar akubra albacore alder alert alfalfa alibi alike alive alkaline alley allium alloy allspice alluring almanac " +
  "aloud alpaca alto aluminum alyssum amazing ambert amenable amethyst amount amp amused amusing anaconda anchovy " +
  "ancient anemone angle angora animal animated anise ankle anorak answer ant anteater antelope antimony antique " +
  "antler antlion aphid apogee apology apparel appeal appendix apple approach approval aquatic archduke archer area " +
  "argument aries aromatic arrow art article artistic ash asiago asp aspen assorted asterisk astrodon atlantic " +
  "attempt attic august aura author avatar awake aware awe awesome axolotl azalea azimuth azure baboon backbone bag " +
  "bagel bagpipe balance balanced balaur ballcap balloon balmoral balsam bangle bank bar barbecue barber barberry " +
  "bard barge baritone barnacle barnyard baron baroness baryonyx basalt baseball basilisk bass bassoon bat bathroom " +
  "bay bayberry bead beaded beak beam beanie bear beard bearskin beat beaufort beauty bed bedecked bee beech " +
  "beechnut beet beetle beginner begonia behavior bejewled belief believed bell belt beluga bemused bench beret " +
  "bergamot berry best better bevel big bike billowy biplane bird bismuth bison bit bite blanket blarney blend " +
  "blender blinker blizzard block blossom blush blushing boa boar board boat boater boatneck bobolink bold bolder " +
  "bolt bongo bonobo bookcase booming boot booth border boron bosworth bougon boulder bounce bouncy boursin bow box " +
  "bracket brake bramble branched brand brass brassy brave brawny brazen brazil bread bream brick brie brief bright " +
  "brindle brisket bristle broccoli brochure broker bromine bronze bronzed brow brownie browser brush buckaroo " +
  "bucket budget buffalo bug bugle bumpy bun burly burrito burst bus bustling busy buttered buttery button buttoned " +
  "buzzard bygone cabinet cacao cadet cadmium cafe cake calcium calf calm camel camp can candied candy canoe canopy " +
  "canvas cap capable capacity caper capri caption capybara car caramel caravan caravel caraway carbon cardamom " +
  "cardinal care carefree careful carob carol carpal carriage carrot cartoon carver case cast castanet casual cat " +
  "catboat catcher catkin catmint catnip catshark catsup cattle cause caution cautious cave cayenne cedar ceder " +
  "ceiling celsius century cereal cerise certain cerulean cesium chain chair chalk chambray chance change chanter " +
  "charger charm charmed charming chatter check checker cheddar cheek cheerful cheese cheetah chef chemical cheque " +
  "cheshire chess chevre chicory chief child chili chiller chime chipped chips chiseled chive chord church cilantro " +
  "circular circus cirrus citipati citizen citrine citron citrus city clam clarinet classy clave clavicle clean " +
  "clear clef clematis click client cliff climb climbing cloak cloche clock close closed closet cloth cloud cloudy " +
  "club clutch coal coaster coat cobbler cobra cockatoo cocoa cod coelurus coherent coil coin colby cold college " +
  "color colorful colossal colossus colt comb comet comfort comma common complete complex composer computer comte " +
  "concise concrete cone conga congress conifer cooing cooked cool copy coral cord cork corleggy corner cornet " +
  "cosmos cost cotija couch cougar count countess country course court cow cowbell cowl crab crane crawdad crawling " +
  "crayfish crayon creative creator creature credit creek crepe cress crest crib cricket crocus crop cross crowley " +
  "cruiser cub cubic cuboid cuckoo cuddly culotte cultured cup curious curler currant currency curtain curve curved " +
  "cushion cut cuticle cyan cyber cyclamen cycle cyclic cymbal cypress dance dancer dandy danthus daphne dapper " +
  "dark dart dash dashing dataset date daughter dawn day dazzling deal dear debonair decade decision decisive " +
  "decorous deep deeply deer delicate delivery deluxe den denim dented deposit derby desk destiny detailed device " +
  "dew dewberry diadem dianella diascia dibble diligent dill dimple dinghy dinner discreet dish distinct ditto dog " +
  "dogsled dogwood dolomite domain donut doppler dorian dormouse dot dove dracorex dramatic draw drawer dream dress " +
  "dresser drifter drink drip drizzle drop droplet drum dry dryer dugong duke dumpling dune durian dye dynamic " +
  "eager ear earl early earthy earwig ease east eastern easy echidna echium echo economic edge educated eel effect " +
  "efraasia egg eggnog eight elastic elated electric elegant element elf elk elm emerald eminent emmental emoji end " +
  "engine engineer english enormous enquiry entree eocursor eoraptor epoxy equable equal era erigeron erratic error " +
  "estimate ethereal ethernet eustoma event excited exciting extreme exultant eye eyebrow eyelash eyeliner fabulous " +
  "face faceted factual faithful fall familiar famous fan fancy far farm farmer fast fastball fearless feast fedora " +
  "feeling feels feet felidae feline femur fender fern fernleaf ferry festive feta feverfew few fiber fibre fibula " +
  "fiction field fig filament fin finch find fine fir fireman firewall first five fixed flame flannel flare flashy " +
  "flat flavor flawless flax flaxen flier flight flock floor floss flossy flourish flower flowery fluffy fluorine " +
  "flute fly flyaway flying foam foamy foggy foil fold fontina forecast foremost forested fork four fourth fowl fox " +
  "foxtail foxtrot fragrant frame freesia freezer freezing freon frequent fresh friction friday friend friendly " +
  "frigate fringe front frost frosted fruit fuel function fur future gadget gainful galette galleon galley gallium " +
  "gallon game gander garage gardenia gargoyle garment garnet gas gastonia gateway gatsby gaudy gazelle gear geese " +
  "gem gemini general geode geology gerbera giddy gifted gigantic gilded ginger girdle giver glass glasses gleaming " +
  "glimmer glitter glittery global globe glorious glory glossy glove glow glowing glue goal golden gondola gong " +
  "gopher gorgeous gorilla gosling gossamer gouda gourd governor graceful grade graffiti grand grape grapple grass " +
  "grateful gratis gravity gray great green grey grin grip grizzly groovy group grove growth gruyere guan guanaco " +
  "guardian guava guide gull gum guppy guttural gym habitual hacksaw haddock hail haircut half hall halloumi " +
  "hallowed hallway halved hamster handball handbell handsaw handsome handy harbor hardhat hardly hardware hare " +
  "harmless harp harrier hat haumea havarti hawthorn heady healer healthy heat heather heaven heavenly heavy height " +
  "held helenium helicona helix helper helpful hen henley heron hide highly hip hockey holistic holy homburg " +
  "honesty honey honeycup honeydew honored hoodie hope horn hornet horse hose hosta hot hour house hoverfly howler " +
  "hub hubcap hugger humane humble humerus humidity humor humorous hushed hydrogen hygienic hyper hyphen hypnotic " +
  "hyssop iberis ice iceberg icecream iced icicle icon icy immense imminent impala imported income increase index " +
  "industry infinity ink inky innate innocent interest internal invented iodized ionian ionized iridium iris iron " +
  "ironclad isthmus ivy ixia jaborosa jacket jagged jam jar jasper jaw jay jeans jeep jelly jet jeweled jodhpur " +
  "joggers join joke jolly jonquil journey joyous judo juice jujube jumbled jump jumpsuit jumpy juniper jury just " +
  "justice jute kayak keen keeper kettle key keyboard kick kicker kidney kileskus kilogram kind kindly kip kite " +
  "kitten knight knot knotty knowing knuckle koi krypton kryptops laborer lace laced lacy lake lamp lamprey lan " +
  "land language languid lantana lapis larch lasagna latency lateral lathe laugh laundry lavish law lawyer lead " +
  "leader leaf lean learned learning leather leek leeward legal legume lemonade lemur leo leopon letter lettuce " +
  "level lever license licorice lift lifter light lighter like likeable limit limpet lingo link linseed lion lip " +
  "list literate lithe litter little lively liver living llama loaf loan lobe local lock locrian lodge lofty log " +
  "longan longing longship look lotus loud lovely loving low lowly luck lucky lumbar lunaria lung lungfish lupin " +
  "lush lute lychee lycra lydian lynx lyre lyric lyrical macaroni macaroon mackerel macrame magic magical magician " +
  "magnetic magnolia mahogany mailman maize majestic makemake makeup mall mallow mambo mammal manager manatee " +
  "manchego mandible mandolin mandrill mango mangrove manicure manner manta mantis manx map maple mare margin " +
  "marimba marjoram marked market marlin marmoset marmot maroon marquess marquis marred married marten mascara mask " +
  "mass massive mastodon mat material math matrix mature maxilla may maze meal meat mechanic medicine medieval " +
  "meerkat meeting mellow melodic melon melted memory menu meowing merciful mesquite metal meteor meter methane " +
  "mewing mica mice midi mighty mild mildly milk mind mini minibus mink minnow mint mirage mire mist misty mitten " +
  "mixture moat mochi modern modest mole molecule mollusk monday money mongoose monitor month moon moored morning " +
  "morocco mosquito moss moth motion motley motor motorist mousepad mouth move movie mud muddy muenster mule mum " +
  "munchkin muscari muscle music musician muskox mutual myrtle myth nail name naranja narrow nation natural " +
  "nautilus navy near neat nebulous neem neighbor neon nerine nerve nest net nettle newsboy newt nice niece nigella " +
  "night nimble nine ninja ninth nitrogen noble node noise nonstop noodle noon northern nose notch notify noun nova " +
  "novel november number numeric numerous nut nutria nymphea oak oasis oboe obvious ocarina oceanic ocicat octave " +
  "october odometer offer oil okra olive olivine omelet opaque open opinion opposite option orange orbit orca " +
  "orchid order orderly ordinary oregano organ organic origami oriole ossified ounce outgoing output owl owner " +
  "oxidized oyster package packet page pail paint painted painter pair pale palm pan panama pancake pancreas panda " +
  "paneer pangolin panther pantry paper parade paradox parakeet parallel park parka parmesan parrot parsley " +
  "particle party passbook passive past pasta paste pastoral pastry patella path patient patio pattern paw pawpaw " +
  "payment pea peaceful peacock peak peanut pear pearl peat pebble pecorino pegasus pen penalty pencil pendulum " +
  "pentagon peony people pepper peppered perfect peridot perigee periodic petal petalite petite petunia pewter " +
  "phalange pharaoh phone phrygian piano picayune piccolo pick pickle pickled pickup picture pie pig pike pillow " +
  "pilot pin pine ping pink pinnate pint pinto pipe piper piquant piranha pirate pisces pitch pitcher place placid " +
  "plaid plain plank plantain plaster plastic plate platinum platypus play player playful playroom pleasure plier " +
  "plot plough plow plucky plume plural pluto plywood poetry point pointed pointy poised polar polish polished " +
  "polite polo pond pony pool popular porch porkpie porpoise porter position positive possible postage postbox " +
  "potent pouncing powerful practice pram prawn precious preface prepared pressure pretty price pricey prickle " +
  "primula prince princess print printer prism private probable process produce product profit profuse promise " +
  "prong proof property prose protocol proud proximal prune pruner puck puddle pull pullover pulsar pupil puppet " +
  "puppy purchase purple purpose purrfect purring push puzzle puzzled puzzling pyjama pyramid pyrite python quail " +
  "quaint quality quark quarter quasar question quick quickest quiet quill quilled quilt quilted quirky quit quiver " +
  "quixotic quokka rabbit racer raclette radar radial radiator radical radio radium radius radon raft ragdoll rail " +
  "railway raincoat rainy raja rake rambutan range raptor raptorex rare raspy rattle raven ravioli ray rayon " +
  "reaction reader reading reason receipt recent recorder red regal regular relation relative reliable relic " +
  "relieved relish reminder repeated replace reply report request research resolute resonant respect rest revolve " +
  "reward rhodium rib rice rich ricotta right rightful rigorous ringed ringer ripe rise risk ritzy riverbed road " +
  "roadway roan roar roasted robe robin robust rocky roll romano romantic roof rook roomy rooster rosehip rotate " +
  "rotated rotating rounded router rover rowboat royal rubidium rule rumba rumbling run rune runner rutabaga safe " +
  "saga sage saguaro sail sailboat sailfish salad salary sale salesman salmon salsa salt saltopus salty samba same " +
  "sandwich sandy sassy satin saturday sauce save saver savory saw sawfish scabiosa scale scallion scapula scarlet " +
  "scene scented sceptre schooner scilla scion scissor scratch scribe sea seagull seahorse seal seaplane search " +
  "seashore season seasoned seat seatbelt second secret secure sedate seed seeder seeker seemly seer selenium sense " +
  "separate sepia serene serious server settee shaded shadow shadowed shake shaker shallot shamrock shape share " +
  "shared shark sharp shawl shear shelf shell shelled sherbet shield shimmer shine shingle shining shiny shoe shop " +
  "shore shoulder show showy shrine shy sidecar sideways sight silence silene silent silica silicon silk silken " +
  "silkworm silky silver similar simple sincere sing singer single sink six sixth skate ski skillful skipjack " +
  "skitter sky sled sleepy sleet slender slice slicer slide sloth small smart smiling smoke snail snake snap " +
  "snapper snipe snout snowman snowplow snowshoe snowy soap soapwort soapy soarer society sodalite softball soil " +
  "solar sole solid son song sorrel sort soul soup source soursop south southern soy spandex spangle spangled spark " +
  "sparkly sparrow speak speaker special speckle speckled speech spell sphenoid sphere sphynx spice spiced spicy " +
  "spider spiffy spike spiky spiny spirit splash splashy spleen split spoon spot spotless spotted spotty spring " +
  "sprinkle sprint sprite sprout spur squid stag stage stallion standing stay steady steed steel stellar stem step " +
  "sternum stetson stew stick sticky stilton stirring stitch stoat stomach stone stop stormy stove strand stranger " +
  "straw street stretch string stripe striped strong study sturdy sturgeon style stylish suave subdued subject " +
  "subway success succinct sudden sudsy sugar sugared sugary sulfur sulfuric summer sun sundae sunday sundial " +
  "sunfish sunset sunshine sunspot sunstone super superb supply supreme surprise swallow swan swanky sweater sweet " +
  "swift swim swing switch swoop sync syringa syrup syzygy tabby tabletop taker taleggio talented talk tall talon " +
  "talos tame tan tang tangelo tangible tango tangy tanker tar target tarp tarragon tarsal tarsier tartan tasteful " +
  "tasty taurus taxi taxicab tea teacher teal team teeth teller telling temper temple temporal ten tendency tender " +
  "tenor tent tern terrier terrific tested text textbook texture thankful theater theory thin thing third thirsty " +
  "thistle thoracic thorium thorn thought three thrill throat throne thrush thumb thunder thursday thyme tibia " +
  "ticket tidal tide tidy tie tiger tiglon tilapia tile timbale timer timimus timpani tin tinted tiny tip tire " +
  "titanium tithonia title toad toaster today tomato ton top toque torch tough towel tower towering town toy track " +
  "tracker tractor trade trader trail tranquil traveler tray treasure trick tricky tricolor tricorne trilby " +
  "trillium trip trollius troodon tropical trouser trowel truck truffle trunk trust trusted trusting truth truthful " +
  "tub tuba tuberose tuck tuesday tulip tumble tuna tune tungsten turner turnover turtle twig twilight twill twist " +
  "twister twisty typical ultra umbra uncle uneven uniform unique unmarred unusual uranium ursinia utensil valiant " +
  "valley valuable van vanadium vanilla variety various vase vast vault vaulted veil veiled vein velvet verbena " +
  "verbose verdant verse versed vertebra vessel vest viburnum vicuna vigorous vinyl violin virgo viridian visage " +
  "viscose viscount vise visitor visor visual vivid volcano vole voltaic waiting waitress wake wakeful walk walker " +
  "walkover wallaby walleye walnut wander wanderer warbler warm warp wash washer wasp watcher watery wave wealth " +
  "wealthy weather web wedelia wedge weight well west western whale wheat wheel whippet whistle wide wiggly william " +
  "willow winter wire wiry wise wish wishbone wistful witty wobbly wok wooded wooden woodwind wool woolen woolly " +
  "word workable working wormhole wren wrench wrinkle wrist writing wry xenon xylocarp yak yam yamamomo yarrow year " +
  "yellow yew yielding yoke young youthful yttrium yumberry yuzu zany zealous zebu zenith zenobia zephyr zest zesty " +
  "ziconium zinc zipper zippy zircon zone zoo zydeco"
).split(" ");
