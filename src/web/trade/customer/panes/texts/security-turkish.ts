/** Texts of the ways to sign in, of step-ups and of the person's data in Turkish. */
import type { Table } from '../../../../shared/texts/table.ts'
import type { SECURITY_ENGLISH } from './security-english.ts'

export const SECURITY_TURKISH: Table<typeof SECURITY_ENGLISH> = {
  leave: 'Vazgeç',
  stepUp: {
    title: 'Bu siz misiniz?',
    again: 'Soru yeniden soruluyor: bir dakika içinde yanıtlayın.',
    passkey: 'Geçiş anahtarıyla onayla',
    password: 'Onayla',
    otherPassword: 'Parolayı kullan',
    otherPasskey: 'Geçiş anahtarını kullan',
    leave: 'Vazgeç',
  },
  passkeyProblems: {
    isThere:
      'Bu cihazda hesabınız için zaten bir geçiş anahtarı var. Başka bir cihaz veya güvenlik anahtarı kullanın.',
    elsewhere: 'Geçiş anahtarları bu adreste çalışmaz. Borsayı kendi adresinde açın.',
  },
  passkeys: {
    title: 'Geçiş anahtarları',
    about: 'Geçiş anahtarıyla giriş yaparsınız. Gizli kısmı cihazınızda kalır; kimse onu sizden isteyemez.',
    none: 'Geçiş anahtarınız yok.',
    made: (at) => `Eklenme: ${at}`,
    used: (at) => `son kullanım: ${at}`,
    unused: 'girişte hiç kullanılmadı',
    add: 'Geçiş anahtarı ekle',
    addNote:
      'Başka bir cihazda veya güvenlik anahtarında ikinci bir geçiş anahtarı olursa, ilkini kaybettiğinizde de giriş yapabilirsiniz. Diğer tüm oturumlar sonlanır.',
    label: 'Ad (isteğe bağlı)',
    labelNote: 'Cihaza verdiğiniz ad, örneğin: mavi güvenlik anahtarı.',
    added: 'Geçiş anahtarı eklendi. Diğer tüm oturumlar sonlandı.',
    remove: 'Kaldır',
    removeOf: (label) => `Geçiş anahtarını kaldır: ${label}`,
    removed: 'Geçiş anahtarı kaldırıldı; artık onunla giriş yapılamaz. Diğer tüm oturumlar sonlandı.',
    last: 'Tek giriş yolunuz bu. Kaldırmadan önce bir başkasını ekleyin.',
  },
  password: {
    title: 'Parola ve doğrulama uygulaması',
    about:
      'Geçiş anahtarının çalışmadığı yerler için ikinci giriş yolu: bir parola ve telefonunuzdaki uygulamanın altı basamaklı kodu.',
    isSet: 'İkisi de kurulu.',
    isNotSet: 'Kurulu değil. Geçiş anahtarıyla giriş yapıyorsanız gerekmez.',
    setUp: 'Parola belirle',
    change: 'Parolayı değiştir',
    newApp: 'Başka bir uygulama kur',
    remove: 'İkisini de kaldır',
    removed: 'Parola ve uygulama kaldırıldı. Diğer tüm oturumlar sonlandı.',
    newTitle: 'Bir parola seçin',
    password: 'Parola',
    newPassword: 'Yeni parola',
    form: 'En az 12 karakter. Birbiriyle ilgisiz dört sözcük iyi bir paroladır.',
    show: 'Göster',
    save: 'Parolayı kaydet',
    set: 'Parola değişti. Diğer tüm oturumlar sonlandı.',
    setFirst: 'Parola kaydedildi. Uygulama da kurulunca onunla giriş yapabilirsiniz.',
    appTitle: 'Doğrulama uygulaması',
    appNext: 'Şimdi telefonunuzdaki doğrulama uygulamasını bağlayın. Kodu, parolayla birlikte sorulur.',
    appBegin: 'Uygulama için kodu göster',
    appNote:
      'Bu kodu uygulamayla tarayın. Aynı telefondaysanız bağlantıyı açın ya da gizli anahtarı kopyalayın.',
    qrCode: 'Doğrulama uygulaması için kare kod',
    secretNote: 'Uygulamaya yazılacak gizli anahtar',
    secret: 'Gizli anahtar',
    openApp: 'Bu cihazdaki bir uygulamada aç',
    code: 'Uygulamanın kodu',
    codeForm: 'Altı basamak',
    appFinish: 'Bitir',
    appSet:
      'Uygulama kuruldu. Bir dahaki sefere parola ve yeni bir kodla ya da geçiş anahtarıyla giriş yapın.',
  },
  codes: {
    title: 'Kurtarma kodları',
    about:
      'Geçiş anahtarlarınızı kaybederseniz, bir kurtarma kodu ve e-posta adresiniz birlikte hesabı yeniden açar. Her kod bir kez geçer.',
    none: 'Kurtarma kodunuz kalmadı. Yenilerini oluşturun.',
    left: (count) => `Kalan kod: ${count}`,
    make: 'Yeni kurtarma kodları oluştur',
    note: 'Bu kurtarma kodlarını saklayın: yalnızca şimdi gösterilir. Önceki kodlar artık geçmez ve diğer tüm oturumlar sonlandı.',
    saved: 'Kodları sakladım',
  },
  freezing: {
    title: 'Dondurma',
    about: 'Hesabınızı bir başkasının kullandığını düşünüyorsanız her şeyi hemen durdurur.',
    freeze: 'Hesabı dondur',
    question: 'Hesabınız dondurulsun mu?',
    note: 'Alım satım, çekimler ve API anahtarları durur; bu oturum dahil tüm oturumlar sonlanır. Açık emirler kalır. Dondurmayı e-posta ve geçiş anahtarıyla kaldırırsınız; çekimler ardından 24 saat bekler.',
    yes: 'Şimdi dondur',
    no: 'Dondurma',
  },
  data: {
    mail: 'E-posta adresi',
    account: 'Hesap',
    opened: 'Açılış',
    exportTitle: 'Verileriniz',
    exportAbout:
      'Borsanın kişi olarak sizin hakkınızda sakladığı her şey, dosya olarak (JSON). Emirler ve işlemler, işlem sayfasındaki Hesap bölümündedir.',
    save: 'Verilerimi kaydet',
    saved: 'Verileriniz bu cihaza dosya olarak kaydedildi.',
    eraseTitle: 'Silme',
    eraseAbout:
      'E-posta adresini, giriş yollarını, oturumları ve geçmişi siler. Bir daha giriş yapamazsınız.',
    erase: 'Verilerimi sil',
    eraseQuestion: 'Verileriniz kalıcı olarak silinsin mi?',
    eraseNote:
      'Bunu kimse geri alamaz. API anahtarları sonlanır; hesabın emirleri ve işlemleri adınız olmadan kalır.',
    eraseMoney: 'Önce paranızı hesaptan çıkarın: kalana erişemezsiniz.',
    eraseGoOn: 'Devam et',
    eraseNo: 'Verilerim kalsın',
  },
}
